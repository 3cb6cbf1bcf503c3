package echoladder.openloop;

import static echoladder.openloop.testserver.ScriptedServer.echo;
import static echoladder.openloop.testserver.ScriptedServer.echoOne;
import static echoladder.openloop.testserver.ScriptedServer.head;
import static echoladder.openloop.testserver.ScriptedServer.say;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
import echoladder.client.ReasonCode;
import echoladder.openloop.testserver.ScriptedServer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that never stops sending on one connection, and answers as it should on all others. */
class EndlessAnswerTest {
  private static final int CONNECTIONS = 5;
  private static final int PART = 1 << 16;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true||HTTP answer with a body over 1,048,640 bytes",
        "true|Content-Length: 99999999999\\r\\n|HTTP answer with a body over 1,048,640 bytes",
        "true|Transfer-Encoding: chunked\\r\\n|HTTP answer with a body over 1,048,640 bytes",
        "false||HTTP answer with a body over 1,048,640 bytes",
      })
  void isGivenUpByNameAndTheLoadGoesOnWithTheOthers(boolean steady, String header, String name) throws Exception {
    String chunk = header != null && header.contains("chunked") ? Integer.toHexString(PART) + "\r\n" : "";
    String part = chunk + "x".repeat(PART) + (chunk.isEmpty() ? "" : "\r\n");
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              if (connection > 0) {
                echo(socket);
              }
              if (steady) {
                echoOne(socket);
              }
              head(socket);
              say(socket, "HTTP/1.1 200 OK\r\n" + (header == null ? "" : header.translateEscapes()) + "\r\n");
              while (true) {
                say(socket, part);
              }
            })) {
      Measured load =
          Measured.run(Measured.plan(server.target(), CONNECTIONS, 100, Duration.ofSeconds(1)).protocol(Protocol.HTTP).connectTimeout(Duration.ofSeconds(10)));
      assertThat(load.result().errors()).containsEntry(name, 1L);
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS - (steady ? 0 : 1));
      assertThat(load.result().connections().dropped()).isEqualTo(steady ? 1 : 0);
      // A fifth of the messages is meant for the connection that was given up.
      assertThat(load.result().messages().answered()).isBetween(70L, 90L);
      assertThat(load.result().messages().answered() + load.result().messages().failed()).isEqualTo(load.result().messages().scheduled());
      assertThat(load.reasons()).contains(ReasonCode.ECHO_MISMATCH);
    }
  }
}
