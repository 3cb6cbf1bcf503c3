package echoladder.openloop;

import static echoladder.openloop.testserver.ScriptedServer.body;
import static echoladder.openloop.testserver.ScriptedServer.echo;
import static echoladder.openloop.testserver.ScriptedServer.echoOne;
import static echoladder.openloop.testserver.ScriptedServer.head;
import static echoladder.openloop.testserver.ScriptedServer.length;
import static echoladder.openloop.testserver.ScriptedServer.say;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.ReasonCode;
import echoladder.openloop.testserver.ScriptedServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server says before a request was sent whole, or without one, and then ends the connection, is what is told of it. */
class EarlyAnswersTest {
  private static final int LARGE_BYTES = 8 << 20;
  private static final int CONNECTIONS = 4;

  private static LoadPlan.Builder plan(ScriptedServer server, Protocol protocol, int messageBytes) {
    return Measured.plan(server.target(), CONNECTIONS, 10 * CONNECTIONS, Duration.ofMillis(500))
        .protocol(protocol)
        .messageBytes(messageBytes)
        .connectTimeout(Duration.ofSeconds(10))
        .drain(Duration.ofSeconds(5));
  }

  /** What is not read at the close of a socket makes the kernel reset the connection, behind the answer. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "413|Content-Length: 9\\r\\nConnection: close\\r\\n\\r\\ntoo large",
        "413|Content-Length: 9\\r\\n\\r\\ntoo large",
        "413|Content-Length: 0\\r\\n\\r\\n",
        "400|Connection: close\\r\\n\\r\\n400 Bad Request",
        "503|Transfer-Encoding: chunked\\r\\n\\r\\n4\\r\\nbusy\\r\\n0\\r\\n\\r\\n",
      })
  void aFinalAnswerBeforeTheBodyWasSentIsNamedByItsStatus(String status, String rest) throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              head(socket);
              say(socket, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 " + status + " No\r\n" + rest.translateEscapes());
            })) {
      Measured load = Measured.run(plan(server, Protocol.HTTP, LARGE_BYTES));
      assertThat(load.result().errors().get("HTTP status " + status)).isEqualTo(CONNECTIONS);
      assertThat(load.reasons()).contains(ReasonCode.ERROR_RESPONSES, ReasonCode.CONNECTIONS_MISSING).doesNotContain(ReasonCode.ECHO_MISMATCH);
      assertThat(load.result().verdictReasons())
          .anySatisfy(doubt -> assertThat(doubt.detail()).contains("4 answers had another status than 200; ").contains("x HTTP status " + status));
      assertThat(load.result().messages().echoMismatches()).isZero();
    }
  }

  /** The first message is small enough, the later ones are not: the server is asked for what it declines in the steady state. */
  @Test
  void inTheSteadyStateTheConnectionIsLostForThatReason() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              echoOne(socket);
              head(socket);
              say(socket, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            })) {
      Measured load = Measured.run(plan(server, Protocol.HTTP, LARGE_BYTES).warmUp(Duration.ofMillis(1), Duration.ofMillis(1), 0));
      assertThat(load.result().errors()).containsOnlyKeys("HTTP status 413").containsEntry("HTTP status 413", (long) CONNECTIONS);
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
      assertThat(load.result().connections().lost()).isEqualTo(CONNECTIONS);
      assertThat(load.reasons()).contains(ReasonCode.ERROR_RESPONSES, ReasonCode.CONNECTIONS_LOST).doesNotContain(ReasonCode.ECHO_MISMATCH);
    }
  }

  /** RFC 9112, 9.3: a server may answer before it has read the request, and read on: that is an answer like any other. */
  @Test
  void anEarlyAnswerOnAConnectionThatGoesOnCountsOnceItsRequestIsSent() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              while (true) {
                int length = length(head(socket));
                say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                body(socket, length);
              }
            })) {
      // As large as a fixed request may be: more than the buffers between both ends take.
      String request = "POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: 65000\r\n\r\n" + "x".repeat(65_000);
      Measured load = Measured.run(plan(server, Protocol.HTTP, 64).http(new HttpAsk("/take", request, 200)));
      assertThat(load.result().errors()).isEmpty();
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
      assertThat(load.result().messages().answered()).isEqualTo(load.result().messages().scheduled()).isPositive();
    }
  }

  /** An echo that does not wait for its message is none; the connection is in step all the same. */
  @Test
  void anEarlyWrongEchoIsWrong() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              echoOne(socket);
              int length = length(head(socket));
              say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
              body(socket, length);
              echo(socket);
            })) {
      Measured load = Measured.run(plan(server, Protocol.HTTP, 1 << 20).warmUp(Duration.ofMillis(1), Duration.ofMillis(1), 0));
      assertThat(load.result().errors()).isEmpty();
      assertThat(load.result().messages().echoMismatches()).isEqualTo(CONNECTIONS);
      // A host that is slow leaves some unanswered.
      assertThat(load.result().messages().failed()).isLessThanOrEqualTo(CONNECTIONS);
      assertThat(load.result().connections().lost()).isZero();
    }
  }

  /** As a proxy ends an idle connection, or one of too many: by an answer that nobody asked for. */
  @Test
  void aRefusalWithoutARequestIsNamedByItsStatus() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              if (connection < 2) {
                echoOne(socket);
              }
              say(socket, "HTTP/1.1 " + (connection < 2 ? "408 Request Timeout" : "503 Too Many") + "\r\nConnection: close\r\n\r\nbye");
            })) {
      Measured load = Measured.run(plan(server, Protocol.HTTP, 64).activeShare(0.25));
      assertThat(load.result().errors()).containsEntry("HTTP status 408", 2L).containsEntry("HTTP status 503", 2L);
      assertThat(load.result().messages().echoMismatches()).isZero();
      assertThat(load.reasons()).contains(ReasonCode.ERROR_RESPONSES).doesNotContain(ReasonCode.ECHO_MISMATCH);
    }
  }

  @Test
  void aRefusedUpgradeIsNamedThoughTheConnectionIsReset() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer((connection, socket) -> say(socket, "HTTP/1.1 503 Too Many\r\nConnection: close\r\n\r\nbye"))) {
      Measured load = Measured.run(plan(server, Protocol.WEBSOCKET, 64));
      assertThat(load.result().errors()).isEqualTo(Map.of("HTTP status 503 to the upgrade", (long) CONNECTIONS));
      assertThat(load.reasons()).contains(ReasonCode.ERROR_RESPONSES).doesNotContain(ReasonCode.ECHO_MISMATCH);
    }
  }

  /** A client has to close what its server says to close, and sends nothing more on it. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"Connection:\\tclose", "Connection: Keep-Alive, Close", "connection:CLOSE "})
  void aConnectionThatTheServerDoesNotKeepIsToldOnce(String header) throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            (connection, socket) -> {
              int length = length(head(socket));
              String body = body(socket, length);
              say(socket, "HTTP/1.1 200 OK\r\n" + header.translateEscapes() + "\r\nContent-Length: " + length + "\r\n\r\n" + body);
              // It waits for the client to close.
              assertThat(socket.getInputStream().read()).isNegative();
            })) {
      Measured load = Measured.run(plan(server, Protocol.HTTP, 64));
      assertThat(load.result().errors()).isEqualTo(Map.of("HTTP answer with Connection: close", (long) CONNECTIONS));
      assertThat(load.result().connections().established()).isEqualTo(CONNECTIONS);
      assertThat(load.result().connections().lost()).isEqualTo(CONNECTIONS);
    }
  }
}
