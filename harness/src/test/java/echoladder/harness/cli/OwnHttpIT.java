package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP server of another language's library, which is asked for what it has. */
@Needs(Need.PYTHON)
class OwnHttpIT {
  /** Answers 201, with a body of its own, to the one request that it expects; 400 to any other. */
  private static final String SERVER =
      """
      import sys
      from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

      class Answers(BaseHTTPRequestHandler):
          protocol_version = "HTTP/1.1"
          wbufsize = -1
          disable_nagle_algorithm = True

          def do_POST(self):
              body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
              right = self.path == "/orders?dry=1" and self.headers.get("X-Shop") == "here" and body == b'{"item": 7}\\n'
              answer = b'{"made": true}' if right else b"what?"
              self.send_response(201 if right else 400)
              self.send_header("Content-Length", str(len(answer)))
              self.end_headers()
              self.wfile.write(answer)

          def log_message(self, *_):
              pass

      class Server(ThreadingHTTPServer):
          request_queue_size = 1024

      Server(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
      """;

  @TempDir private Path dir;
  private OwnClimb own;

  @BeforeEach
  void climb() {
    own = new OwnClimb(dir);
  }

  @Test
  @Tag("long")
  void climbsWithTheRequestOfAFile() throws Exception {
    Path request = Files.writeString(dir.resolve("order.http"), "POST /orders?dry=1\nX-Shop: here\n\n{\"item\": 7}\n");
    OwnClimb.Alone alone =
        own.alone("--own", own.python(SERVER), "--protocol", "http", "--request", request.toString(), "--expect-status", "201");
    assertThat(alone.rung().valid()).as("%s", alone.rung().load()).isTrue();
    assertThat(LoadMetrics.SERVER_CPU.value(alone.rung())).isPositive();
    assertThat(alone.said()).contains("answers of 'own' are right if their status is 201; their bodies are not compared");
    RunRecord run = own.run();
    HttpAsk asked = Objects.requireNonNull(Objects.requireNonNull(run.servers().getLast().own()).http());
    assertThat(asked.status()).isEqualTo(201);
    assertThat(asked.request())
        .startsWith("POST /orders?dry=1 HTTP/1.1\r\nHost: 127.0.0.1:" + own.port + "\r\nX-Shop: here\r\n")
        .endsWith("\r\nContent-Length: 12\r\n\r\n{\"item\": 7}\n");
    assertThat(run.reproduce()).contains(" --protocol http ", " --request " + request, " --expect-status 201");
    assertThat(own.folder().resolve("REPORT.md")).content().contains("Its answers were told by their status alone");
    assertThat(own.accepts()).as("it still runs").isFalse();
  }

  @Test
  void oneThatAnswersWithAnotherStatusIsSaid() throws Exception {
    assertThat(own.refused("--own", own.python(SERVER), "--protocol", "http", "--path", "/orders?dry=1"))
        .contains("its answer begins with 'HTTP/1.1 400 Bad Request'; 'HTTP/1.1 200' is the right one");
    assertThat(own.accepts()).as("it still runs").isFalse();
  }
}
