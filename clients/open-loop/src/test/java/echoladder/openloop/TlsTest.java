package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.ReasonCode;
import echoladder.client.SlowReaders;
import echoladder.client.Target;
import echoladder.client.Tls;
import echoladder.client.figures.Handshakes;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.client.websocket.Frames;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.ScriptedServer;
import echoladder.openloop.testserver.TlsServer.Fault;
import echoladder.openloop.testserver.TlsServer;
import echoladder.openloop.testserver.WebSocketServer;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads over TLS, against servers of the JDK that speak it rightly or in one way wrongly. */
class TlsTest {
  private static final int CONNECTIONS = 20;
  private static final Duration STEADY = Duration.ofSeconds(1);
  private static ThrowawayCertificate certificate;

  @BeforeAll
  static void certificate() throws IOException {
    certificate = ThrowawayCertificate.make();
  }

  private static LoadPlan.Builder plan(TlsServer server, String version) {
    return Measured.plan(server.target(), CONNECTIONS, 20 * CONNECTIONS, STEADY)
        .tls(new Tls(version, ThrowawayCertificate.NAME, certificate.authority()));
  }

  private static Measured against(Fault fault, UnaryOperator<LoadPlan.Builder> with) throws Exception {
    try (TlsServer server = TlsServer.start(certificate, fault, "1.3", "1.2")) {
      return Measured.run(with.apply(plan(server, "1.3")));
    }
  }

  private static Set<String> causes(Measured load) {
    return load.result().errors().keySet();
  }

  @ParameterizedTest
  @CsvSource({
      "1.3, 1, 1, 1", "1.3, 64, 1, 2", "1.3, 16383, 1, 1", "1.3, 16384, 1, 1", "1.3, 16385, 2, 1", "1.3, 65536, 1, 1", "1.3, 102400, 3, 2",
      "1.3, 300000, 1, 1", "1.2, 64, 1, 1", "1.2, 40000, 2, 2"})
  void everyByteComesBackOverTheBordersOfRecords(String version, int bytes, int inFlight, int loops) throws Exception {
    try (TlsServer server = TlsServer.start(certificate, Fault.NONE, "1.3", "1.2")) {
      double rate = CONNECTIONS * (bytes > 16_385 ? 4.0 : 20.0);
      Measured load =
          Measured.run(
              Measured.plan(server.target(), CONNECTIONS, rate, STEADY)
                  .tls(new Tls(version, ThrowawayCertificate.NAME, certificate.authority()))
                  .messageBytes(bytes).inFlight(inFlight).loops(loops));
      assertThat(load.reasons())
          .doesNotContain(
              ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST, ReasonCode.ECHO_MISMATCH, ReasonCode.UNANSWERED);
      LoadResult result = load.result();
      assertThat(result.errors()).isEmpty();
      assertThat(result.connections().held()).isEqualTo(CONNECTIONS);
      assertThat(result.messages().answered()).isPositive().isEqualTo(result.messages().scheduled());
      for (TimeKind each : new TimeKind[] {TimeKind.RESPONSE, TimeKind.SERVER}) {
        assertThat(load.times(each).getTotalCount()).as(each.tag).isEqualTo(result.messages().answered());
      }
      String cipher = version.equals("1.3") ? "TLS_AES_128_GCM_SHA256" : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
      assertThat(server.ciphers).hasSize(CONNECTIONS).containsOnly("TLSv" + version + " " + cipher);
      assertThat(server.names).hasSize(CONNECTIONS).containsOnly(ThrowawayCertificate.NAME);
      if (bytes > 1_000) {
        // The server's key update may come behind the last echo: who closes with something unread resets.
        return;
      }
      Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(
          () -> assertThat(server.endedProperly.get()).as("connections that ended by close_notify").isEqualTo(CONNECTIONS));
    }
  }

  /** The JDK's end of loads over HTTP and WebSocket: what clients offered by ALPN, and how a connection begins. */
  private static final class Above {
    private final SSLContext context = TlsServer.context(certificate);
    private final Queue<List<String>> offered = new ConcurrentLinkedQueue<>();
    private final @Nullable String choice;

    Above(@Nullable String choice) throws Exception {
      this.choice = choice;
    }

    Socket over(Socket accepted) throws IOException {
      return TlsServer.shaken(
          context, accepted,
          names -> {
            offered.add(names);
            return choice;
          });
    }

    void check(Target target, Protocol protocol, String version, int bytes) throws Exception {
      Measured load =
          Measured.run(
              Measured.plan(target, CONNECTIONS, CONNECTIONS * (bytes > 16_385 ? 4.0 : 20.0), STEADY).protocol(protocol).messageBytes(bytes)
                  .tls(new Tls(version, ThrowawayCertificate.NAME, certificate.authority())));
      assertThat(load.result().errors()).isEmpty();
      assertThat(load.result().connections().held()).isEqualTo(CONNECTIONS);
      assertThat(load.result().messages().answered()).isPositive().isEqualTo(load.result().messages().scheduled());
      assertThat(offered).hasSize(CONNECTIONS).containsOnly(List.of("http/1.1"));
    }
  }

  /** A server may choose what is offered by ALPN, or nothing. */
  @ParameterizedTest
  @CsvSource({"1.3, 64, http/1.1", "1.3, 64, ''", "1.3, 16384, http/1.1", "1.3, 100000, http/1.1", "1.2, 64, ''", "1.2, 40000, http/1.1"})
  void httpAndWebSocketGoOverIt(String version, int bytes, String choice) throws Exception {
    Above http = new Above(choice);
    try (ScriptedServer server = new ScriptedServer((_, socket) -> ScriptedServer.echo(http.over(socket)))) {
      http.check(server.target(), Protocol.HTTP, version, bytes);
    }
    Above webSocket = new Above(choice);
    WebSocketServer.Manners manners =
        new WebSocketServer.Manners() {
          @Override
          public Socket over(Socket accepted) throws IOException {
            return webSocket.over(accepted);
          }

          @Override
          public byte[] answer(int connection, int number, byte[] message) {
            return Frames.plain(Frames.BINARY, true, message);
          }
        };
    try (WebSocketServer server = new WebSocketServer(manners)) {
      webSocket.check(server.target(), Protocol.WEBSOCKET, version, bytes);
    }
  }

  @Test
  void aServerThatHasNoSuchProtocolSaysSo() throws Exception {
    Above none = new Above(null);
    try (ScriptedServer server = new ScriptedServer((_, socket) -> ScriptedServer.echo(none.over(socket)))) {
      Measured load = Measured.run(
          Measured.plan(server.target(), CONNECTIONS, 20 * CONNECTIONS, STEADY).protocol(Protocol.HTTP)
              .tls(new Tls("1.3", ThrowawayCertificate.NAME, certificate.authority())));
      assertThat(causes(load)).hasSize(1).first().asString().startsWith("TLS: alert from the server: ");
    }
  }

  @Test
  void connectionsThatComeAndGoHaveSessionsOfTheirOwn() throws Exception {
    try (TlsServer server = TlsServer.start(certificate, Fault.NONE, "1.3")) {
      Measured load = Measured.run(plan(server, "1.3").churn(new Churn(100, Churn.Lifetime.EXPONENTIAL)));
      assertThat(load.result().errors()).isEmpty();
      assertThat(server.ciphers.size()).isGreaterThan(CONNECTIONS);
      assertThat(load.times(TimeKind.RECONNECT).getTotalCount()).isPositive();
    }
  }

  /** Each connection begins when the one before has had its first echo, so the ticket is there from the second one on. */
  @ParameterizedTest
  @CsvSource({"1.3, true, 19", "1.2, true, 19", "1.3, false, 0", "1.2, false, 0"})
  void allButTheFirstResumeItsSession(String version, boolean resumes, long resumed) throws Exception {
    Handshakes handshakes = oneByOne(Fault.NONE, new Tls(version, ThrowawayCertificate.NAME, certificate.authority(), resumes));
    assertThat(handshakes).isEqualTo(new Handshakes((long) CONNECTIONS, resumed));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.3", "1.2"})
  void aServerThatForgetsItsTicketsHasFullHandshakes(String version) throws Exception {
    Handshakes handshakes = oneByOne(Fault.FORGETS, new Tls(version, ThrowawayCertificate.NAME, certificate.authority(), true));
    assertThat(handshakes).isEqualTo(new Handshakes((long) CONNECTIONS, 0L));
  }

  private static Handshakes oneByOne(Fault fault, Tls tls) throws Exception {
    Measured load = against(fault, plan -> plan.tls(tls).loops(1).connectsUnderWay(1));
    assertThat(load.result().errors()).isEmpty();
    assertThat(load.result().connections().held()).isEqualTo(CONNECTIONS);
    assertThat(load.result().messages().answered()).isPositive().isEqualTo(load.result().messages().scheduled());
    return load.result().crowd().tls();
  }

  @Test
  void churnResumesSessionsToo() throws Exception {
    Tls tls = new Tls("1.3", ThrowawayCertificate.NAME, certificate.authority(), true);
    Measured load = against(Fault.NONE, plan -> plan.tls(tls).churn(new Churn(100, Churn.Lifetime.EXPONENTIAL)).loops(2));
    assertThat(load.result().errors()).isEmpty();
    Handshakes handshakes = load.result().crowd().tls();
    long churned = Objects.requireNonNull(load.result().crowd().churned());
    assertThat(handshakes.handshakes()).isGreaterThanOrEqualTo(CONNECTIONS + churned);
    assertThat(handshakes.resumed()).isGreaterThanOrEqualTo(churned);
  }

  @Test
  void withoutTlsThereAreNoHandshakes() throws Exception {
    try (TlsServer server = TlsServer.start(certificate, Fault.PLAIN_ECHO, "1.3")) {
      assertThat(Measured.run(plan(server, "1.3").tls(null)).result().crowd().tls()).isEqualTo(Handshakes.NONE);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
          "PLAIN_ECHO | TLS: plain text in place of TLS: the server does not speak it at this port",
          "PLAIN_TEXT | TLS: plain text in place of TLS: the server does not speak it at this port",
          "HANGS_UP | TLS: the server ended the connection in the handshake",
          "TRUNCATES | TLS: truncated: the server ended the connection without close_notify",
          "FORGES | TLS: decryption failed or bad record mac",
          "OVERFLOWS | TLS: a record longer than TLS allows",
          "UNSEALS | TLS: plain text behind the handshake: a record that is not sealed"})
  void aServerThatFailsHasItsReason(Fault fault, String cause) throws Exception {
    Measured load = against(fault, plan -> plan);
    assertThat(causes(load)).containsExactly(cause);
    assertThat(load.result().errors().get(cause)).isEqualTo(CONNECTIONS);
    assertThat(load.reasons()).containsAnyOf(ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST);
  }

  @Test
  void anEndBehindCloseNotifyIsAnOrdinaryOne() throws Exception {
    assertThat(causes(against(Fault.CLOSES, plan -> plan))).containsExactly("closed by the server");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherAuthorityIsNoAuthority(boolean resumes) throws Exception {
    String other = ThrowawayCertificate.make().authority();
    Measured load = against(Fault.NONE, plan -> plan.tls(new Tls("1.3", ThrowawayCertificate.NAME, other, resumes)));
    assertThat(causes(load)).hasSize(1).first().asString().startsWith("TLS: wrong certificate: ");
  }

  @Test
  void withoutAnAuthorityThoseOfTheHostCount() throws Exception {
    Measured load = against(Fault.NONE, plan -> plan.tls(new Tls("1.3", ThrowawayCertificate.NAME, null)));
    assertThat(causes(load)).hasSize(1).first().asString().startsWith("TLS: wrong certificate: ");
  }

  @ParameterizedTest
  @CsvSource({"echo.example", "127.0.0.2", "::2"})
  void anotherNameIsTheWrongOne(String name) throws Exception {
    Measured load = against(Fault.NONE, plan -> plan.tls(new Tls("1.3", name, certificate.authority())));
    assertThat(causes(load)).containsExactly("TLS: wrong name: the server's certificate is not for " + name);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "::1"})
  void anAddressIsANameThatIsNotTold(String name) throws Exception {
    try (TlsServer server = TlsServer.start(certificate, Fault.NONE, "1.3")) {
      Measured load = Measured.run(plan(server, "1.3").tls(new Tls("1.3", name, certificate.authority())));
      assertThat(load.result().errors()).isEmpty();
      assertThat(server.names).isEmpty();
    }
  }

  @Test
  void anAlertIsToldByItsName() throws Exception {
    try (TlsServer server = TlsServer.start(certificate, Fault.NONE, "1.2")) {
      assertThat(causes(Measured.run(plan(server, "1.3")))).containsExactly("TLS: alert from the server: protocol version");
    }
  }

  @Test
  void aRampWithoutOneGoodHandshakeIsGivenUp() throws Exception {
    try (TlsServer server = TlsServer.start(certificate, Fault.NONE, "1.3")) {
      Measured load =
          Measured.run(
              Measured.plan(server.target(), 2_000, 2_000, STEADY).connectsPerSecond(1_000)
                  .tls(new Tls("1.3", "echo.example", certificate.authority())));
      assertThat(causes(load))
          .containsExactlyInAnyOrder(
              "TLS: wrong name: the server's certificate is not for echo.example",
              "not begun, as none of the first connects could be made");
    }
  }

  @Test
  void whatIsNoCertificateIsRefusedBeforeAnythingStarts() {
    LoadPlan.Builder plan =
        Measured.plan(new Target("127.0.0.1", 9), 1, 10, STEADY).tls(new Tls("1.3", "localhost", "no certificate"));
    assertThatThrownBy(() -> Measured.run(plan)).isInstanceOf(PlanNotPossible.class).hasMessageContaining("no certificate in PEM");
  }

  /** Who trusts fewer than he was told to would refuse servers for no reason that he can see. */
  @Test
  void aCertificateThatCannotBeReadIsNotPassedOver() {
    String second = certificate.authority() + "-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n";
    LoadPlan.Builder plan = Measured.plan(new Target("127.0.0.1", 9), 1, 10, STEADY).tls(new Tls("1.3", "localhost", second));
    assertThatThrownBy(() -> Measured.run(plan)).isInstanceOf(PlanNotPossible.class).hasMessageContaining("certificate 2 in PEM");
  }

  @Test
  void itGoesNotWithPublishOrSlowReaders() {
    LoadPlan.Builder plan = Measured.plan(new Target("127.0.0.1", 9), 1, 10, STEADY);
    plan.tls(new Tls("1.3", "localhost", null));
    assertThatThrownBy(() -> plan.messageBytes(64).publish(Publish.ALL).build()).hasMessageContaining("not with tls");
    assertThatThrownBy(() -> plan.publish(null).slowReaders(SlowReaders.ofShare(0.1)).build())
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not with tls");
    assertThatThrownBy(() -> new Tls("1.1", "localhost", null)).hasMessageContaining("1.3 or 1.2");
    assertThat(List.of(Objects.requireNonNull(new Tls("1.2", "localhost", null).trusting("x").authorities()))).containsExactly("x");
  }
}
