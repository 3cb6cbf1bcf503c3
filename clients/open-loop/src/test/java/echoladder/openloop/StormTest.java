package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Storm;
import echoladder.client.Target;
import echoladder.client.figures.Crowd;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A server that goes away for a known time and comes back at the same port: no recovery can be shorter than that. */
class StormTest {
  private static final int CONNECTIONS = 100;
  private static final Duration AWAY = Duration.ofMillis(500);

  /** Restarts a server when the storm begins. */
  private static final class Restarted implements AutoCloseable {
    private final TestServer first = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce());
    private final Duration away;
    private final boolean comesBack;
    private @Nullable TestServer second;

    Restarted(boolean comesBack) throws IOException {
      this(comesBack, AWAY);
    }

    Restarted(boolean comesBack, Duration away) throws IOException {
      this.comesBack = comesBack;
      this.away = away;
    }

    Target target() {
      return first.target();
    }

    void phase(Phase phase) {
      if (phase != Phase.STORM) {
        return;
      }
      try {
        Target at = first.target();
        first.close();
        long back = System.nanoTime() + away.toNanos();
        while (System.nanoTime() < back) {
          LockSupport.parkNanos(back - System.nanoTime());
        }
        second = comesBack ? TestServer.startAt(at, Measured.MESSAGE_BYTES, Answering.atOnce()) : null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      if (second != null) {
        second.close();
      }
    }
  }

  /** All phases that there are, in their order. */
  @Test
  void theStormLiesBetweenTheHoldAndTheRollCall() throws Exception {
    List<Phase> phases = new ArrayList<>();
    try (Restarted server = new Restarted(true)) {
      Measured.run(
          Measured.plan(server.target(), 5, 50, Duration.ofMillis(500)).storm(Storm.Kind.RUSH.storm()),
          phase -> {
            phases.add(phase);
            server.phase(phase);
          });
    }
    assertThat(phases).containsExactly(Phase.values());
  }

  private static LoadResult storm(Restarted server, Storm storm) throws Exception {
    return Measured.run(
            Measured.plan(server.target(), CONNECTIONS, 200, Duration.ofMillis(500)).storm(storm), server::phase)
        .result();
  }

  private static Crowd.Reconnects recovered(Storm storm) throws Exception {
    try (Restarted server = new Restarted(true)) {
      LoadResult result = storm(server, storm);
      Crowd.Reconnects seen = result.crowd().storm();
      assertThat(seen.lost()).isEqualTo(seen.back());
      assertThat(seen.back()).isGreaterThanOrEqualTo(CONNECTIONS);
      assertThat(seen.seconds()).isGreaterThanOrEqualTo(AWAY.toMillis() / 1e3);
      // A connect fails while nobody listens, and each failure has its kind.
      assertThat(seen.refused()).isPositive();
      assertThat(sum(seen.back(), seen.refused(), seen.broken(), seen.timedOut(), seen.otherFailures())).isEqualTo(seen.tries());
      assertThat(result.errors().get("storm: connect ECONNREFUSED")).isEqualTo(seen.refused());
      assertThat(result.crowd().reconnect().maxNs()).isGreaterThan(0L);
      // The storm is no fault of the load before it, and afterwards every connection answers.
      assertThat(result.connections().failed()).isZero();
      assertThat(result.connections().held()).isEqualTo(CONNECTIONS);
      assertThat(result.messages().unanswered()).isZero();
      assertThat(result.verdictReasons()).extracting(Reason::reason)
          .doesNotContain(ReasonCode.CONNECTIONS_LOST, ReasonCode.CONNECTIONS_SILENT, ReasonCode.INTERRUPTED);
      return seen;
    }
  }

  private static long sum(@Nullable Long... counts) {
    return Stream.of(counts).mapToLong(Objects::requireNonNull).sum();
  }

  @Test
  void allComeBackAndBackOffTriesLess() throws Exception {
    Crowd.Reconnects rush = recovered(Storm.Kind.RUSH.storm());
    Crowd.Reconnects backOff = recovered(Storm.Kind.BACKOFF.storm());
    assertThat(sum(backOff.tries())).isLessThan(sum(rush.tries()));
  }

  @Test
  void aServerThatStaysAwayIsALoadThatIsNotCarried() throws Exception {
    try (Restarted server = new Restarted(false)) {
      LoadResult result =
          Measured.run(
                  Measured.plan(server.target(), CONNECTIONS, 200, Duration.ofMillis(500))
                      .storm(new Storm(null, Duration.ofSeconds(1)))
                      .connectTimeout(Duration.ofSeconds(2)),
                  server::phase)
              .result();
      assertThat(result.connections().held()).isZero();
      assertThat(result.verdictReasons()).as("nobody was asked").extracting(Reason::reason).doesNotContain(ReasonCode.CONNECTIONS_SILENT);
      assertThat(result.crowd().storm().back()).isZero();
      assertThat(result.crowd().storm().seconds()).isNull();
      assertThat(result.verdictReasons()).filteredOn(d -> d.reason() == ReasonCode.CONNECTIONS_LOST).singleElement()
          .satisfies(d -> assertThat(d.detail()).contains("100 of 100 connections had no verified echo within 1 s").contains("storm: connect ECONNREFUSED"));
    }
  }

  /** The phase's bound is over by then: that is said, and those who are back all the same are asked like any other. */
  @Test
  void whoComesBackAfterTheBoundIsAskedAllTheSame() throws Exception {
    try (Restarted server = new Restarted(true, Duration.ofSeconds(2))) {
      LoadResult result = storm(server, new Storm(null, Duration.ofSeconds(1)));
      assertThat(result.crowd().storm().back()).isGreaterThanOrEqualTo(CONNECTIONS);
      assertThat(result.connections().held()).isEqualTo(CONNECTIONS);
      assertThat(result.verdictReasons()).filteredOn(d -> d.reason() == ReasonCode.CONNECTIONS_LOST).singleElement()
          .satisfies(d -> assertThat(d.detail()).startsWith("100 of 100 connections had no verified echo within 1 s"));
      assertThat(result.verdictReasons()).extracting(Reason::reason).doesNotContain(ReasonCode.CONNECTIONS_SILENT);
    }
  }

  @Test
  void aStormThatNobodyMakesIsSaid() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      LoadResult result =
          Measured.run(Measured.plan(server.target(), 5, 50, Duration.ofMillis(500)).storm(new Storm(null, Duration.ofSeconds(1)))).result();
      assertThat(result.crowd().storm().lost()).isZero();
      assertThat(result.verdictReasons()).extracting(Reason::detail).contains("no connection ended within 1 s: nobody restarted the server");
      assertThat(result.connections().held()).isEqualTo(5);
    }
  }
}
