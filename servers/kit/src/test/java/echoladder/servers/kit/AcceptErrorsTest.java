package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptErrorsTest {
  private final EchoMetrics metrics = new EchoMetrics();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final AtomicLong nowNs = new AtomicLong(-5);
  private int looks;
  private final AcceptErrors errors =
      new AcceptErrors(
          metrics,
          new DescriptorReserve(),
          new ServerLog("kit", new PrintStream(out, true, StandardCharsets.UTF_8)),
          this::clockNs);

  @ParameterizedTest
  @CsvSource({
    "Too many open files, emfile",
    "/dev/null (Too many open files), emfile",
    "accept(..) failed: Too many open files in system, enfile",
    "Software caused connection abort, other",
    ", other"
  })
  void namesTheErrno(String message, String reason) {
    errors.failed(new IOException(message));
    assertThat(metrics.acceptErrors(reason)).isEqualTo(1);
  }

  @Test
  void namesThreadsThatCannotBeStarted() {
    errors.failed(new OutOfMemoryError("unable to create native thread: possibly out of memory or process limits"));
    assertThat(metrics.acceptErrors("eagain")).isEqualTo(1);
    assertThat(lines()).singleElement().asString().contains("native thread", "threads-max", "pids.max");
  }

  @Test
  void logsOnceASecondAndSaysHowManyItKeptBack() {
    for (int i = 0; i < 10; i++) {
      errors.failed(new IOException("Too many open files"));
    }
    assertThat(lines()).singleElement().asString().startsWith("kit: accept failed").contains("RLIMIT_NOFILE");
    nowNs.addAndGet(1_000_000_000L);
    errors.failed(new IOException("Too many open files"));
    assertThat(lines()).hasSize(2).last().asString().contains("9 more");
    assertThat(metrics.acceptErrors("emfile")).isEqualTo(11);
  }

  @Test
  void saysNothingOfWhatTheReserveIsMadeOf() {
    errors.failed(new IOException("/dev/null (Too many open files)"));
    assertThat(lines()).singleElement().asString().contains("connections open: Too many open files; ");
  }

  /** EMFILE is the answer to both limits; the lower one was met. */
  @Test
  void namesTheLowerOfTheLimitsOfDescriptors() {
    assertThat(AcceptErrors.descriptorLimit(4_194_304, 1_024))
        .startsWith("fs.nr_open, which is 1,024 (this process's RLIMIT_NOFILE is 4,194,304)");
    assertThat(AcceptErrors.descriptorLimit(1_024, 1_048_576)).startsWith("this process's RLIMIT_NOFILE, which is 1,024");
  }

  /** In a lab each look at the clock is a system call, and there is one accept per connection. */
  @Test
  void looksAtTheClockOnlyOnceSomethingRanOut() {
    int before = looks;
    assertThat(errors.mayAccept()).isTrue();
    assertThat(looks).isEqualTo(before);
    errors.failed(new OutOfMemoryError("Java heap space"));
    assertThat(errors.mayAccept()).isFalse();
    nowNs.addAndGet(AcceptErrors.PAUSE.toNanos());
    assertThat(errors.mayAccept()).isTrue();
  }

  private long clockNs() {
    looks++;
    return nowNs.get();
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
