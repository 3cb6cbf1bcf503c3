package echoladder.harness.host;

import echoladder.harness.probe.Reading;
import echoladder.harness.probe.ReadingRecord;
import echoladder.harness.probe.Readings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Samples of a run over several hosts: those of the server's host, with the client hosts' own beside them. All hosts are asked at
 * once, each reads its own kernel, and times are told by this host's clock.
 */
final class RemoteReadings implements Readings {
  /** A page that is silent is waited for, by one sample after the other. A host that is gone is known sooner. */
  private static final Duration BOUND = Duration.ofMinutes(1);

  private final Fleet fleet;
  private volatile @Nullable ReadingRecord last;

  RemoteReadings(Fleet fleet) {
    this.fleet = fleet;
  }

  @Override
  public Reading take(Depth depth) {
    List<Future<ReadingRecord>> asked = new ArrayList<>();
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (HostLink link : fleet.links()) {
        asked.add(askers.submit(() -> link.ask(HostOp.READ, new HostReplies.Depth(depth), ReadingRecord.class, BOUND)));
      }
    }
    List<Reading> readings = new ArrayList<>();
    ReadingRecord ofServer = null;
    for (int i = 0; i < asked.size(); i++) {
      ReadingRecord told = told(asked.get(i));
      ofServer = i == 0 ? told : ofServer;
      readings.add(told.reading(fleet.links().get(i).clock().aheadNs()));
    }
    last = ofServer;
    Reading reading = readings.getFirst();
    Map<String, Reading> clients = new LinkedHashMap<>();
    long latest = reading.cpuReadNs();
    for (int i = 1; i < readings.size(); i++) {
      clients.put(fleet.links().get(i).host(), readings.get(i));
      latest = Math.max(latest, readings.get(i).cpuReadNs());
    }
    reading.put(clients, latest);
    return reading;
  }

  private static ReadingRecord told(Future<ReadingRecord> asked) {
    try {
      return asked.get();
    } catch (ExecutionException e) {
      IOException why = e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
      throw new UncheckedIOException(why.getMessage(), why);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      String why = "interrupted while hosts were asked";
      throw new UncheckedIOException(why, new IOException(why, e));
    }
  }

  @Override
  public Map<String, Long> acceptErrors() {
    ReadingRecord told = last;
    return told == null ? Map.of() : told.acceptErrors();
  }

  @Override
  public String restart() {
    ReadingRecord told = last;
    return told == null ? "" : told.restart();
  }

  @Override
  public String metricsFailure() {
    ReadingRecord told = last;
    return told == null ? "" : told.metricsFailure();
  }
}
