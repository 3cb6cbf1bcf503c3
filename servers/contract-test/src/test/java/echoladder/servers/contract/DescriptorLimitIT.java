package echoladder.servers.contract;

import static echoladder.servers.contract.OutOfDescriptors.CLIENTS;
import static echoladder.servers.contract.OutOfDescriptors.ERRORS;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Out of descriptors: counted, said, waited for, survived. */
class DescriptorLimitIT {
  /** One for the connection and one to find that the next can be had. */
  private static final int SPARE = 2;

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void goesOnWhenDescriptorsAreFreeAgain(Variant variant) throws Exception {
    try (RunningServer server = OutOfDescriptors.start(variant)) {
      // The kernel completes their handshakes; the server cannot accept all of them.
      List<EchoClient> clients = server.connect(CLIENTS);
      OutOfDescriptors.awaitErrors(server);

      // Accepted ones are served as ever; the kernel hands out its queue in order.
      clients.subList(0, 50).forEach(client -> client.echo(EchoClient.bytes(1, 64)));
      OutOfDescriptors.restsWhileItWaits(server);

      clients.subList(0, CLIENTS / 2).forEach(EchoClient::close);
      clients.subList(CLIENTS / 2, CLIENTS).forEach(client -> client.echo(EchoClient.bytes(2, 64)));
      server.awaitOpen(CLIENTS / 2);
      double errors = server.metric(ERRORS);
      clients.get(CLIENTS - 1).echo(EchoClient.bytes(3, 64));
      assertThat(server.metric(ERRORS)).as("%s: %s after recovery", server, ERRORS).isEqualTo(errors);
      assertThat(server.metric("echo_connections_accepted_total")).as("%s: accepted", server).isEqualTo(CLIENTS);
      clients.subList(CLIENTS / 2, CLIENTS).forEach(EchoClient::close);
      server.awaitOpen(0);
    }
  }

  /** What a server opened for its first connection only, e.g. to wait for it, could not be had any more then. */
  @Needs(Need.PRLIMIT)
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#all")
  void servesTheFirstWithTheLastDescriptors(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant, List.of(), LastDescriptors.plain(variant.argv()))) {
      LastDescriptors.leave(server.ready().pid(), SPARE);
      try (EchoClient client = server.connect()) {
        // Long enough for the server to have come to wait for it.
        Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        client.echo(EchoClient.bytes(1, 64));
        client.echo(EchoClient.bytes(2, 64));
      }
    }
  }
}
