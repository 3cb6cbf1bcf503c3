package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server says of itself for how long it did not run. */
class HiccupIT {
  private static final int STOPPED_MS = 300;

  /** The bound of the histogram next below, less the longest sleep that a meter may have. */
  private static final String BELOW = "0.25";

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#managed")
  void aServerThatWasStoppedShowsIt(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant)) {
      long before = longer(server);
      signal(server, "-STOP");
      Thread.sleep(STOPPED_MS);
      signal(server, "-CONT");
      server.await("a hiccup of over " + BELOW + " s").until(() -> longer(server) > before);
    }
  }

  /** How many hiccups were longer than that, all read from one page, as each page tells of more wake-ups than the one before. */
  private static long longer(RunningServer server) {
    String page = server.ask("GET", server.ready().metrics()).body();
    return count(page, "echo_hiccup_seconds_count ") - count(page, "echo_hiccup_seconds_bucket{le=\"" + BELOW + "\"} ");
  }

  private static long count(String page, String series) {
    List<String> lines = page.lines().filter(line -> line.startsWith(series)).toList();
    assertThat(lines).as("%s on the page%n%s", series, page).hasSize(1);
    return (long) Double.parseDouble(lines.getFirst().substring(series.length()));
  }

  private static void signal(RunningServer server, String signal) throws Exception {
    String kill = "kill " + signal + " " + server.ready().pid();
    assertThat(new ProcessBuilder("sh", "-c", kill).inheritIO().start().waitFor()).isZero();
  }
}
