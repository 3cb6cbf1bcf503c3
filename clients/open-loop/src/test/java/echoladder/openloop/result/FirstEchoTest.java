package echoladder.openloop.result;

import static echoladder.openloop.testserver.ScriptedServer.echo;
import static echoladder.openloop.testserver.ScriptedServer.head;
import static echoladder.openloop.testserver.ScriptedServer.say;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.client.Verdict;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.Measured;
import echoladder.openloop.testserver.ScriptedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Why a connection has no first echo within the connect timeout has one of three names, and two of them are no saturation. */
class FirstEchoTest {
  private static final int CONNECTIONS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static LoadPlan.Builder plan(Target target, Protocol protocol, int connections) {
    return Measured.plan(target, connections, 30, Duration.ofMillis(100))
        .protocol(protocol)
        .connectTimeout(TIMEOUT)
        .drain(Duration.ofMillis(100));
  }

  private static String detail(Measured load, ReasonCode reason) {
    return load.result().verdictReasons().stream().filter(doubt -> doubt.reason() == reason).map(Reason::detail).findFirst().orElse("");
  }

  /** Takes everything and answers no more, until the client closes the connection. */
  private static void mute(Socket socket) throws IOException {
    while (socket.getInputStream().read(new byte[4096]) >= 0) {
      // Nothing is said to it.
    }
  }

  /** What stands in place of an answer, a connection each, with its name. */
  private static final Map<Protocol, List<Map.Entry<String, String>>> ANSWERS =
      Map.of(
          Protocol.HTTP,
          List.of(
              Map.entry("HTTP/1.1 200 OK\r\nServer: x\r\n\r\nok", "HTTP answer without a length, on a connection that stays open"),
              Map.entry("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "HTTP answer whose lines end in LF without CR"),
              Map.entry("HTTP/1.1 200 OK\r\nContent-Le", "HTTP answer whose head has no end"),
              Map.entry("HTT", "HTTP answer whose head has no end"),
              Map.entry("HTTP/1.1 200 OK\r\nContent-Length: 64\r\n\r\nok", "HTTP answer shorter than its content-length"),
              Map.entry("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", "HTTP answer without its last chunk"),
              Map.entry("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok", "HTTP answer without its last chunk"),
              Map.entry("HTTP/1.1 100 Continue\r\n\r\n", "HTTP answer of a status below 200 alone")),
          Protocol.TCP,
          List.of(Map.entry("220 welcome", "fewer bytes than were sent, and other ones")),
          Protocol.WEBSOCKET,
          List.of(
              Map.entry("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\n\n", "WebSocket upgrade: an answer whose lines end in LF without CR"),
              Map.entry("HTTP/1.1 101 Switching Protocols\r\nUpgr", "WebSocket upgrade: an answer whose head has no end"),
              // Behind the right answer to the upgrade.
              Map.entry("", "WebSocket upgrade: granted, and then nothing came back"),
              Map.entry("\u0082\u0009", "WebSocket frame: a message that has no end")));

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anAnswerThatHasNoEndIsNamedByWhatIsMissing(Protocol protocol) throws Exception {
    List<Map.Entry<String, String>> answers = Objects.requireNonNull(ANSWERS.get(protocol));
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              String answer = answers.get(connection).getKey();
              if (protocol == Protocol.WEBSOCKET && !answer.startsWith("HTTP")) {
                String key = String.valueOf(Upgrade.header(head(socket), "Sec-WebSocket-Key"));
                answer = new String(Upgrade.answer(key), StandardCharsets.US_ASCII) + answer;
              }
              say(socket, answer);
              mute(socket);
            })) {
      Measured load = Measured.run(plan(server.target(), protocol, answers.size()));
      Map<String, Long> errors = new TreeMap<>();
      answers.forEach(answer -> errors.merge("first echo without end: " + answer.getValue(), 1L, Long::sum));
      assertThat(load.result().errors()).isEqualTo(errors);
      assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
      assertThat(detail(load, ReasonCode.ANSWER_WITHOUT_END))
          .startsWith("no connection had an echo: on %1$d of %1$d an answer began that had no end within 2.0 s, ".formatted(answers.size()))
          .contains("1 x " + answers.getFirst().getValue());
      assertThat(load.reasons()).contains(ReasonCode.CONNECTIONS_MISSING).doesNotContain(ReasonCode.SERVER_SILENT, ReasonCode.ECHO_MISMATCH);
      assertThat(load.result().connections().timedOut()).isEqualTo(answers.size());
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aServerThatSaysNothingIsSilent(Protocol protocol) throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> mute(socket))) {
      Measured load = Measured.run(plan(server.target(), protocol, CONNECTIONS));
      assertThat(load.result().errors()).isEqualTo(Map.of("first echo missing: connected, and nothing came back", (long) CONNECTIONS));
      assertThat(load.result().verdict()).isEqualTo(Verdict.INVALID);
      assertThat(detail(load, ReasonCode.SERVER_SILENT))
          .isEqualTo("no connection had an echo: 3 of 3 were made, and nothing came back on them within 2.0 s, the connect timeout");
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
      assertThat(detail(load, ReasonCode.SERVER_SILENT)).contains("of 8 were made");
    }
  }

  /** A server that answers some and not others is full, or has forgotten them: that is a result. */
  @Test
  void aServerThatIsSilentOnSomeConnectionsIsNoSilentServer() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              if (connection == 0) {
                echo(socket);
              }
              mute(socket);
            })) {
      Measured load = Measured.run(plan(server.target(), Protocol.HTTP, CONNECTIONS));
      assertThat(load.result().errors()).isEqualTo(Map.of(FirstEcho.SILENT, 2L));
      assertThat(load.reasons()).contains(ReasonCode.CONNECTIONS_MISSING).doesNotContain(ReasonCode.SERVER_SILENT);
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
              mute(socket);
            })) {
      Measured load = Measured.run(plan(server.target(), Protocol.HTTP, CONNECTIONS));
      assertThat(load.result().errors()).containsEntry("HTTP status 503", 1L).containsEntry(FirstEcho.SILENT, 2L);
      assertThat(load.reasons()).contains(ReasonCode.ERROR_RESPONSES).doesNotContain(ReasonCode.SERVER_SILENT);
    }
  }
}
