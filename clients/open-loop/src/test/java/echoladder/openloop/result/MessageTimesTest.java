package echoladder.openloop.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server time, send lateness and receive delay, and that nothing is lost between them. */
class MessageTimesTest {
  private final MessageTimes times = new MessageTimes();

  /** Intended at 100; -1 = it waited for nobody, or has no stamp. */
  @ParameterizedTest
  @CsvSource({
    // freed, sent, arrived, read, server, lateness, receive delay
    "-1, 100, 130, 135, 30, 0, 5",
    // Late by 40: that is the client's.
    "-1, 140, 170, 175, 30, 40, 5",
    // The earlier answer arrived 50 after this was due, and was read 10 later.
    "150, 160, 190, 190, 80, 10, 0",
    // It had arrived before this was due: that it was read late is the client's.
    "90, 160, 190, 190, 30, 60, 0",
    // Arrival and release are told by another clock, which may be off by a little.
    "170, 160, 190, 190, 90, 0, 0",
    "-1, 100, 95, 135, 0, 0, 35",
    "-1, 100, 140, 135, 35, 0, 0",
    // Without a stamp the server is charged with the late read.
    "-1, 110, -1, 135, 25, 10, 0",
  })
  void partsOfAResponse(long freed, long sent, long arrived, long read, long server, long lateness, long delay) {
    times.answered(100, freed < 0 ? MessageTimes.FREE : freed, sent, arrived < 0 ? MessageTimes.UNKNOWN : arrived, read);
    assertThat(times.serverNs()).isEqualTo(server);
    assertThat(times.latenessNs()).isEqualTo(lateness);
    assertThat(times.receiveDelayNs()).isEqualTo(delay);
    assertThat(times.responseNs()).isEqualTo(read - 100);
    assertThat(times.stamped()).isEqualTo(arrived >= 0);
    assertThat(times.attempted()).isTrue();
  }

  /** The three add up to the response time, to the nanosecond, and none of them is below 0, whatever the clocks said. */
  @Test
  void theyAddUpToTheResponseTime() {
    long seed = 20_261_128;
    SplittableRandom random = new SplittableRandom(seed);
    for (int n = 0; n < 200_000; n++) {
      long scale = 1L << random.nextInt(45);
      long intended = random.nextLong(-scale, scale);
      long sent = intended + random.nextLong(scale);
      long read = sent + random.nextLong(scale);
      long freed = random.nextInt(4) == 0 ? MessageTimes.FREE : intended + random.nextLong(-scale, 3 * scale);
      long arrived = random.nextInt(8) == 0 ? MessageTimes.UNKNOWN : sent + random.nextLong(-scale, 3 * scale);
      switch (random.nextInt(6)) {
        case 0 -> times.unanswered(intended, freed, sent, read);
        case 1 -> times.behind(intended, read);
        case 2 -> times.notReached(intended, read);
        default -> times.answered(intended, freed, sent, arrived, read);
      }
      String which = "seed %d, case %d".formatted(seed, n);
      assertThat(times.serverNs() + times.latenessNs() + times.receiveDelayNs()).as(which).isEqualTo(times.responseNs());
      assertThat(Math.min(times.serverNs(), Math.min(times.latenessNs(), times.receiveDelayNs()))).as(which).isNotNegative();
      assertThat(times.responseNs()).as(which).isEqualTo(read - intended);
    }
  }

  /** No coordinated omission: however the client came to send, a message due within a stall has all that was left of the stall. */
  @Test
  void aStallIsSeenByEveryMessageThatWasDueInIt() {
    SplittableRandom random = new SplittableRandom(7);
    long stallEnd = 1_000_000;
    for (int n = 0; n < 1_000; n++) {
      // The first is out when the stall begins; the others of its connection are due meanwhile, and each is sent after the one before it.
      long arrived = stallEnd + random.nextLong(100);
      long read = arrived + random.nextLong(500_000);
      for (long due = random.nextLong(1_000); due < stallEnd; due += 1 + random.nextLong(200_000)) {
        long sent = read + random.nextLong(50);
        long freed = arrived;
        arrived = sent + random.nextLong(100);
        read = arrived + random.nextLong(500_000);
        times.answered(due, freed, sent, arrived, read);
        assertThat(times.serverNs()).isGreaterThanOrEqualTo(stallEnd - due);
      }
    }
  }

  @Test
  void whatWasNotSentIsTheServersBehindAnotherAndElseTheClients() {
    times.behind(100, 400);
    assertThat(times.serverNs()).isEqualTo(300);
    assertThat(times.latenessNs()).isZero();
    assertThat(times.attempted()).isFalse();
    times.notReached(100, 400);
    assertThat(times.serverNs()).isZero();
    assertThat(times.latenessNs()).isEqualTo(300);
    // Sent 20 after it was due, 10 after it could be, and out since.
    times.unanswered(100, 110, 120, 400);
    assertThat(times.serverNs()).isEqualTo(290);
    assertThat(times.stamped()).isFalse();
    assertThat(times.attempted()).isTrue();
  }
}
