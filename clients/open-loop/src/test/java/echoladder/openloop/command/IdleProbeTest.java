package echoladder.openloop.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Target;
import echoladder.openloop.command.IdleProbe.Ending;
import echoladder.openloop.command.IdleProbe.Fate;
import echoladder.openloop.command.IdleProbe.Found;
import echoladder.openloop.testserver.ClosedPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The probe against servers that forget a connection after a time without a message, each in its way. */
@Timeout(60)
class IdleProbeTest {
  /** Far from both idle times below, so that a slow machine changes nothing. */
  private static final int FORGETS_AFTER_MS = 2_000;

  private static final List<Duration> IDLE = List.of(Duration.ofMillis(4_000), Duration.ofMillis(10));

  enum Way {
    FIN,
    RESET,
    SILENCE
  }

  /** Echoes, and forgets. */
  private static final class Forgetful implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    private final Way way;

    Forgetful(Way way) throws IOException {
      this.way = way;
      Thread.ofVirtual().start(this::accept);
    }

    Target target() {
      return new Target("127.0.0.1", listener.getLocalPort());
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = listener.accept();
          Thread.ofVirtual().start(() -> echo(socket));
        }
      } catch (IOException e) {
        return; // Closed: the test is over.
      }
    }

    private void echo(Socket socket) {
      try (socket) {
        socket.setSoTimeout(FORGETS_AFTER_MS);
        byte[] part = new byte[64];
        int n;
        try {
          while ((n = socket.getInputStream().read(part)) > 0) {
            socket.getOutputStream().write(part, 0, n);
          }
        } catch (SocketTimeoutException e) {
          if (way == Way.SILENCE) {
            socket.setSoTimeout(0);
            assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
          }
          socket.setSoLinger(way == Way.RESET, 0);
        }
      } catch (IOException e) {
        return; // The client went away.
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"FIN, CLOSED", "RESET, RESET", "SILENCE, SILENT"})
  void findsBetweenWhichTimesAConnectionDies(Way way, Ending ending) throws Exception {
    List<Fate> told = new ArrayList<>();
    try (Forgetful server = new Forgetful(way)) {
      Found found =
          new IdleProbe(server.target(), IDLE, Duration.ofSeconds(3))
              .run(
                  fate -> {
                    synchronized (told) {
                      told.add(fate);
                    }
                  });
      assertThat(found.connections()).extracting(Fate::ending).containsExactly(Ending.SURVIVED, ending);
      assertThat(found.survivedS()).isEqualTo(0.01);
      assertThat(found.diedS()).isEqualTo(4);
      assertThat(found.answer()).startsWith("the idle time-out lies between 0.010 and 4 s; ");
      assertThat(found.connections().getLast().afterS()).as("when it was seen, or asked").isGreaterThan(1.9);
      assertThat(told).hasSize(2);
    }
  }

  private record Ended(int status, String out, String err) {}

  private static Ended probe(Target target, boolean json, Duration... idle) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        IdleProbeOption.run(
            new IdleProbe(target, List.of(idle), Duration.ofSeconds(10)), json, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Ended(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void saysWhatSurvives() throws Exception {
    try (Forgetful server = new Forgetful(Way.FIN)) {
      Ended ended = probe(server.target(), false, Duration.ofMillis(20), Duration.ofMillis(10));
      assertThat(ended.status).as(ended.err).isZero();
      assertThat(ended.out)
          .isEqualTo("idle for 0.010 s: survived\nidle for 0.020 s: survived\nall survived: nothing on the way forgets a connection within 0.020 s\n");
      Ended json = probe(server.target(), true, Duration.ofSeconds(4));
      assertThat(json.status).as(json.err).isEqualTo(1);
      assertThat(json.out).contains("\"ending\" : \"closed\"", "\"died_s\" : 4.0", "\"survived_s\" : null");
    }
  }

  @Test
  void nobodyThereIsSaid() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      Ended ended = probe(port.target(), false, Duration.ofMillis(10));
      assertThat(ended.status).as(ended.err).isEqualTo(3);
      assertThat(ended.out).contains("never alive (Connection refused)", "needs an echo server over plain TCP there");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--idle-probe 10s|needs one --target", "--idle-probe 10 --target 127.0.0.1:9|is not a time with its unit",
        "--idle-probe 25h --target 127.0.0.1:9|1ms to 24h each", "--idle-probe 10s --target 127.0.0.1:9 --rate 5|is no load",
        "--idle-probe 10s --target 127.0.0.1:9 --protocol http|over plain TCP", "--idle-probe 10s --target 192.0.2.1:9|--allow-target 192.0.2.1"
      })
  void whatDoesNotFitIsRefused(String arguments, String said) {
    StringWriter err = new StringWriter();
    assertThat(new CommandLine(new LoadVerb()).setErr(new PrintWriter(err)).execute(arguments.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).contains(said);
  }

  @Test
  void theUsualTimesAreTakenWithoutOthers() {
    IdleProbeOption option = new IdleProbeOption();
    new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("probe", CommandLine.Model.CommandSpec.forAnnotatedObject(option))).parseArgs("--idle-probe");
    List<Duration> idle = option.probe(List.of(new Target("127.0.0.1", 9)), List.of(), Duration.ofSeconds(1)).idle();
    assertThat(idle).containsExactlyElementsOf(Stream.of(10, 30, 70, 130, 250, 360, 610).map(Duration::ofSeconds).toList());
    assertThatThrownBy(() -> new IdleProbe(new Target("127.0.0.1", 9), List.of(), Duration.ofSeconds(1))).hasMessageContaining("1 to 64 idle times");
  }
}
