package echoladder.openloop;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.linux.ErrorText;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.run.LoadEvents;
import echoladder.openloop.run.OpenLoopRun;
import echoladder.openloop.run.PerHost;
import echoladder.openloop.run.ServerLook;
import echoladder.openloop.run.ShardLauncher;
import echoladder.openloop.shard.RemoteShard;
import echoladder.openloop.shard.Shard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A load whose connections are held by several hosts. It is driven from this process, which holds none: each phase begins on all
 * hosts at one instant, and histograms are merged, never percentiles.
 */
public final class LoadOverHosts implements LoadClient {
  private final Division division;
  private final ServerLook server;
  private volatile List<Map.Entry<String, LoadResult>> byHost = List.of();
  private boolean stopped;
  private @Nullable OpenLoopRun running;

  /** Divides a load over hosts. */
  @FunctionalInterface
  public interface Division {
    /** The hosts that carry it, at least one; their parts together are the whole. */
    List<ClientHost> of(LoadPlan plan) throws IOException;
  }

  /** One that looks at the server wherever that is. */
  public LoadOverHosts(Division division, ServerLook server) {
    this.division = division;
    this.server = server;
  }

  @Override
  public String name() {
    return OpenLoopClient.NAME;
  }

  /** What each host showed by itself in the last load, in their order; none where it did not come to its end. */
  public List<Map.Entry<String, LoadResult>> byHost() {
    return byHost;
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    List<ClientHost> hosts = division.of(plan);
    try (Told told = new Told(listener)) {
      OpenLoopRun run = new OpenLoopRun(plan, histograms, told, server, _ -> open(hosts));
      begin(run);
      LoadResult result = run.run();
      byHost = List.copyOf(run.byHost().entrySet());
      return result;
    } catch (PlanNotPossible e) {
      throw new LoadNotPossibleException(String.valueOf(e.getMessage()));
    } catch (HostLostException e) {
      return OpenLoopClient.nothing(plan, new Reason(ReasonCode.HOST_LOST, String.valueOf(e.getMessage())));
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof HostLostException lost) {
        return OpenLoopClient.nothing(plan, new Reason(ReasonCode.HOST_LOST, String.valueOf(lost.getMessage())));
      }
      throw e;
    } catch (IOException e) {
      return OpenLoopClient.nothing(plan, new Reason(ReasonCode.CLIENT_DIED, String.valueOf(e.getMessage())));
    }
  }

  private synchronized void begin(OpenLoopRun run) {
    running = run;
    if (stopped) {
      run.stop();
    }
  }

  /** All hosts at once, as starting a JVM and warming it up takes seconds on each. */
  private static ShardLauncher.Opened open(List<ClientHost> hosts) throws IOException {
    List<Future<RemoteShard>> starting = new ArrayList<>();
    List<PerHost.Part> parts = new ArrayList<>();
    List<String> sources = new ArrayList<>();
    int loops = 0;
    try (ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor()) {
      for (ClientHost host : hosts) {
        for (int i = 0; i < host.shards(); i++) {
          int index = i;
          starting.add(starters.submit(() -> RemoteShard.open(host.open(), host.plan(), index, host.shards(), host.loops())));
        }
        parts.add(new PerHost.Part(host.name(), host.plan(), host.shards()));
        sources.addAll(host.plan().sourceAddresses());
        loops += host.shards() * host.loops();
      }
    }
    return new ShardLauncher.Opened(opened(starting), loops, sources, new PerHost(parts));
  }

  private static List<Shard> opened(List<Future<RemoteShard>> starting) throws IOException {
    List<Shard> shards = new ArrayList<>();
    IOException failed = null;
    for (Future<RemoteShard> one : starting) {
      try {
        shards.add(one.get());
      } catch (ExecutionException e) {
        failed = e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failed = new IOException("interrupted while client processes were starting", e);
      }
    }
    if (failed != null) {
      shards.forEach(Shard::close);
      throw failed;
    }
    return shards;
  }

  /** Tells a listener by a thread of its own, so that what it reads at a border delays none of the load; waits for it at the hold. */
  private static final class Told implements LoadEvents, AutoCloseable {
    private final LoadListener listener;
    private final ExecutorService teller = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("phases").factory());
    private final List<Future<?>> telling = new ArrayList<>();

    Told(LoadListener listener) {
      this.listener = listener;
    }

    @Override
    public void phase(Phase phase, long monotonicNs) {
      telling.add(teller.submit(() -> listener.phase(phase, monotonicNs)));
    }

    @Override
    public void progress(Progress progress) {
      var _ = teller.submit(() -> listener.progress(progress));
    }

    @Override
    public void hold() throws IOException {
      for (Future<?> one : telling) {
        try {
          one.get();
        } catch (ExecutionException e) {
          if (e.getCause() instanceof UncheckedIOException unchecked) {
            throw unchecked.getCause();
          }
          throw new IOException("a phase could not be followed: " + ErrorText.of(e), e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }

    @Override
    public void close() {
      teller.shutdown();
      try {
        teller.awaitTermination(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
