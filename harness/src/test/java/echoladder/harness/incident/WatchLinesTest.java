package echoladder.harness.incident;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WatchLinesTest {
  private static ProcessExamination of(Looks looks) {
    return ProcessExamination.of(looks.look(), null);
  }

  @Test
  void aLineHasWhatChangedSinceTheOneBefore() {
    WatchLines lines = new WatchLines();
    assertThat(lines.next("03:00:00", of(new Looks().connections(500).listener(0, 128, 10))).lines())
        .containsExactly(
            "time              connections         descriptors  threads mappings    resident           queue   dropped   stops at  first",
            "03:00:00                  500         507 / 1,024        4      108      20 MiB         0 / 128         0      1,017  nofile soft",
            "         to lift it: prlimit --pid 4711 --nofile=1048576:1048576");
    assertThat(lines.next("03:00:01", of(new Looks().connections(490).listener(0, 128, 10))))
        .isEqualTo("03:00:01            490 (-10)         497 / 1,024        4      108      20 MiB         0 / 128         0      1,017  nofile soft");
    // It is said again as it begins to stop.
    assertThat(lines.next("03:00:02", of(new Looks().connections(1_017).listener(129, 128, 14))).lines())
        .containsExactly(
            "03:00:02         1,017 (+527)       1,024 / 1,024        4      108      20 MiB       129 / 128         4      1,017  nofile soft STOPS IT NOW",
            "         to lift it: prlimit --pid 4711 --nofile=1048576:1048576");
  }

  @Test
  void theHeadIsRepeated() {
    WatchLines lines = new WatchLines();
    assertThat(IntStream.range(0, 45).mapToObj(_ -> lines.next("03:00:00", of(new Looks()))).filter(text -> text.startsWith("time "))).hasSize(3);
  }
}
