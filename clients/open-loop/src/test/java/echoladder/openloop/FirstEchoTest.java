package echoladder.openloop;

import static echoladder.openloop.testserver.ScriptedServer.await;
import static echoladder.openloop.testserver.ScriptedServer.echo;
import static echoladder.openloop.testserver.ScriptedServer.head;
import static echoladder.openloop.testserver.ScriptedServer.say;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.client.Verdict;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.testserver.ScriptedServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why a connection has no first echo within the connect timeout has one of three names, and two of them are no saturation. */
class FirstEchoTest {
  private static final int CONNECTIONS = 3;

  private static LoadPlan.Builder plan(Target target, Protocol protocol, int connections) {
    return Measured.plan(target, connections, 30, Duration.ofMillis(100))
        .protocol(protocol)
        .connectTimeout(Duration.ofMillis(400))
        .drain(Duration.ofMillis(100));
  }

  private static String detail(Measured load, Invalidity reason) {
    return load.result().verdictReasons().stream().filter(doubt -> doubt.reason() == reason).map(Doubt::detail).findFirst().orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP|HTTP/1.1 200 OK\\r\\nServer: x\\r\\n\\r\\nok|HTTP answer without a length, on a connection that stays open",
        "HTTP|HTTP/1.1 200 OK\\nContent-Length: 2\\n\\nok|HTTP answer whose lines end in LF without CR",
        "HTTP|HTTP/1.1 200 OK\\r\\nContent-Le|HTTP answer whose head has no end",
        "HTTP|HTT|HTTP answer whose head has no end",
        "HTTP|HTTP/1.1 200 OK\\r\\nContent-Length: 64\\r\\n\\r\\nok|HTTP answer shorter than its content-length",
        "HTTP|HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nok\\r\\n|HTTP answer without its last chunk",
        "HTTP|HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n9\\r\\nok|HTTP answer without its last chunk",
        "HTTP|HTTP/1.1 100 Continue\\r\\n\\r\\n|HTTP answer of a status below 200 alone",
        "TCP|220 welcome|fewer bytes than were sent, and other ones",
        "WEBSOCKET|HTTP/1.1 101 Switching Protocols\\nUpgrade: websocket\\n\\n|WebSocket upgrade: an answer whose lines end in LF without CR",
        "WEBSOCKET|HTTP/1.1 101 Switching Protocols\\r\\nUpgr|WebSocket upgrade: an answer whose head has no end",
      })
  void anAnswerThatHasNoEndIsNamedByWhatIsMissing(Protocol protocol, String answer, String name) throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
              say(socket, answer.translateEscapes());
              await(socket);
            })) {
      withoutEnd(Measured.run(plan(server.target(), protocol, CONNECTIONS)), name);
    }
  }

  private static void withoutEnd(Measured load, String name) {
    assertThat(load.result().errors()).isEqualTo(Map.of("first echo without end: " + name, (long) CONNECTIONS));
    assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
    assertThat(detail(load, Invalidity.ANSWER_WITHOUT_END))
        .isEqualTo("no connection had an echo: on 3 of 3 an answer began that had no end within 0.4 s, the connect timeout: 3 x " + name);
    assertThat(load.reasons()).contains(Invalidity.CONNECTIONS_MISSING).doesNotContain(Invalidity.SERVER_SILENT, Invalidity.ECHO_MISMATCH);
    assertThat(load.result().connections().timedOut()).isEqualTo(CONNECTIONS);
  }

  @ParameterizedTest
  @CsvSource({"-1,'WebSocket upgrade: granted, and then nothing came back'", "9,WebSocket frame: a message that has no end"})
  void afterARightUpgradeAnEchoMayBeMissingToo(int frameBytes, String name) throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              say(socket, new String(Upgrade.answer(Upgrade.header(head(socket), "Sec-WebSocket-Key")), StandardCharsets.US_ASCII));
              if (frameBytes > 0) {
                say(socket, "\u0082" + (char) frameBytes);
              }
              await(socket);
              while (socket.getInputStream().read() >= 0) {
                // The message and whatever else comes is taken.
              }
            })) {
      withoutEnd(Measured.run(plan(server.target(), Protocol.WEBSOCKET, CONNECTIONS)), name);
    }
  }

  @ParameterizedTest
  @CsvSource({"TCP", "HTTP", "WEBSOCKET"})
  void aServerThatSaysNothingIsSilent(Protocol protocol) throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              while (socket.getInputStream().read() >= 0) {
                // Everything is taken and nothing answered.
              }
            })) {
      Measured load = Measured.run(plan(server.target(), protocol, CONNECTIONS));
      assertThat(load.result().errors()).isEqualTo(Map.of("first echo missing: connected, and nothing came back", (long) CONNECTIONS));
      assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
      assertThat(detail(load, Invalidity.SERVER_SILENT))
          .isEqualTo("no connection had an echo: 3 of 3 were made, and nothing came back on them within 0.4 s, the connect timeout");
    }
  }

  /** The kernel takes one connection more than a backlog of 1 into the queue, and drops the handshakes of the others. */
  @Test
  void aHandshakeThatWasNotCompletedIsAnotherCause() throws Exception {
    int connections = 8;
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Target target = new Target("127.0.0.1", listener.getLocalPort());
      Measured load = Measured.run(plan(target, Protocol.TCP, connections));
      assertThat(load.result().errors()).containsOnlyKeys(FirstEcho.NO_HANDSHAKE, FirstEcho.SILENT);
      assertThat(load.result().errors().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(connections);
      assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
      assertThat(detail(load, Invalidity.SERVER_SILENT)).contains("of 8 were made");
    }
  }

  /** A server that answers some and not others is full, or has forgotten them: that is a result. */
  @Test
  void aServerThatIsSilentOnSomeConnectionsIsSaturated() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              if (connection == 0) {
                echo(socket);
              }
              while (socket.getInputStream().read() >= 0) {
                // Everything is taken and nothing answered.
              }
            })) {
      Measured load = Measured.run(plan(server.target(), Protocol.HTTP, CONNECTIONS));
      assertThat(load.result().errors()).isEqualTo(Map.of(FirstEcho.SILENT, 2L));
      assertThat(load.reasons()).contains(Invalidity.CONNECTIONS_MISSING).doesNotContain(Invalidity.SERVER_SILENT);
      assertThat(load.result().verdict()).isEqualTo(Verdict.SATURATED);
    }
  }

  /** What is seen beside the time that was over says more than that. */
  @Test
  void silenceBesideAnotherCauseIsNoReasonOfItsOwn() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              if (connection == 0) {
                head(socket);
                say(socket, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
              }
              await(socket);
              while (socket.getInputStream().read() >= 0) {
                // Everything is taken and nothing answered.
              }
            })) {
      Measured load = Measured.run(plan(server.target(), Protocol.HTTP, CONNECTIONS));
      assertThat(load.result().errors()).containsEntry("HTTP status 503", 1L).containsEntry(FirstEcho.SILENT, 2L);
      assertThat(load.reasons()).contains(Invalidity.ERROR_RESPONSES).doesNotContain(Invalidity.SERVER_SILENT);
    }
  }
}
