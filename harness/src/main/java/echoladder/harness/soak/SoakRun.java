package echoladder.harness.soak;

import echoladder.client.Churn;
import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Protocol;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.Target;
import echoladder.harness.client.Clients;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.Quantity;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.server.ServerProcess;
import echoladder.harness.server.ServerSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Soaks servers, and the ladder itself, one after the other. soak.json is on the disk after each of them. */
public final class SoakRun {
  /** The name of the ladder itself among the servers. */
  public static final String LADDER = "ladder";

  private static final Duration READY_BOUND = Duration.ofSeconds(30);
  private static final double ACTIVE_SHARE = 0.1;
  private static final double MESSAGES_PER_S_EACH = 1;
  private static final double CHURN_PER_S_EACH = 0.01;

  /** Long enough for a host that is busy with more than the soak. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(60);

  /** Those that are being replaced are missing for a moment. */
  private static final double HELD_SHARE_LEAST = 0.9;

  private static final Duration WARM_UP_LEAST = Duration.ofSeconds(2);
  private static final Duration WARM_UP_MOST = Duration.ofSeconds(60);

  private final Map<String, ServerManifest> servers;
  private final Clients clients;
  private final ShortRungs rungs;
  private final RunFolder folder;
  private final StopSignal stop;

  /**
   * Soaks these servers by name, into a folder.
   *
   * @param rungs what the ladder climbs when it is soaked itself
   */
  public SoakRun(Map<String, ServerManifest> servers, Clients clients, ShortRungs rungs, RunFolder folder, StopSignal stop) {
    this.servers = Map.copyOf(servers);
    this.clients = clients;
    this.rungs = rungs;
    this.folder = folder;
    this.stop = stop;
  }

  /**
   * Soaks those that are left, or those until the signal to stop; one that it interrupts is soaked again the next time.
   *
   * @throws IOException where the folder cannot be written, or a program cannot be started
   */
  public Soak run(Soak from) throws IOException, InterruptedException {
    Soak soak = from.at(Status.RUNNING);
    SoakFiles.write(folder, soak);
    for (String name : soak.left()) {
      System.err.printf("ladder: soak %d of %d, %s, %s%n", soak.done().size() + 1, soak.servers().size(), name, soak.length());
      ServerSoak server = name.equals(LADDER) ? ladder(soak) : soak(Objects.requireNonNull(servers.get(name)), soak);
      if (stop.requested()) {
        break;
      }
      System.err.printf("ladder: %s: %s%n", name, server.held() ? "held" : "did not hold");
      soak = soak.with(server);
      SoakFiles.write(folder, soak);
    }
    soak = soak.at(stop.requested() ? Status.INTERRUPTED : Status.COMPLETE);
    SoakFiles.write(folder, soak);
    return soak;
  }

  private ServerSoak soak(ServerManifest server, Soak soak) throws IOException, InterruptedException {
    String startedAt = Instant.now().toString();
    List<String> wrong = new ArrayList<>();
    try (ServerProcess process =
            ServerProcess.start(server.argv(Jdks.java(), ServerSettings.DEFAULT), folder.file(server.name() + ".server.log"));
        var _ = stop.onStop(process::terminate)) {
      ReadyLine ready = process.awaitReady(READY_BOUND);
      Samples samples = samples(server.name(), new SampledServer(ready));
      try (Sampling sampling = new Sampling(samples, Quantity.duration(soak.length()))) {
        ServerSoak.Visits visits = loaded(server, ready, soak, sampling, wrong);
        wrong.addAll(samples.wrong());
        String ended = process.endedByItself(false);
        if (ended != null) {
          wrong.add("the server " + ended);
        }
        String killed = process.stopHolding(soak.connections());
        if (killed != null) {
          wrong.add("stopping the server: " + killed);
        }
        return new ServerSoak(server.name(), startedAt, null, visits, wrong, Drift.of(samples.all()), samples.all());
      }
    } catch (ServerNotReadyException e) {
      wrong.add("it did not get ready: " + e.getMessage());
      return new ServerSoak(server.name(), startedAt, null, ServerSoak.Visits.NONE, wrong, List.of(), List.of());
    }
  }

  private Samples samples(String of, Sampled sampled) throws IOException {
    return new Samples(sampled, folder.file(of + ".samples.jsonl"));
  }

  /**
   * Runs of short rungs in this process, one after the other, until the time has passed and there are samples enough. A sample is
   * taken after each rung, but for those of the first run: classes are loaded in it.
   */
  private ServerSoak ladder(Soak soak) throws IOException {
    String startedAt = Instant.now().toString();
    Set<String> wrong = new LinkedHashSet<>();
    Samples samples = samples(LADDER, new SampledLadder());
    wrong.addAll(rungs.climb(() -> {}).wrong());
    long startNs = System.nanoTime();
    long lengthNs = Quantity.duration(soak.length()).toNanos();
    int climbed = 0;
    boolean goesOn = true;
    while (goesOn && !stop.requested() && (System.nanoTime() - startNs < lengthNs || climbed < Drift.LEAST_SAMPLES)) {
      ShortRungs.Climbed run = rungs.climb(samples::add);
      wrong.addAll(run.wrong());
      climbed += run.rungs();
      goesOn = run.rungs() > 0; // What cannot be climbed once would be tried for ever.
    }
    wrong.addAll(samples.wrong());
    return new ServerSoak(
        LADDER, startedAt, climbed, ServerSoak.Visits.NONE, List.copyOf(wrong), Drift.of(samples.all()), samples.all());
  }

  /** Loads it and visits it; adds what went wrong with either, or with the samples. */
  private ServerSoak.Visits loaded(ServerManifest server, ReadyLine ready, Soak soak, Sampling sampling, List<String> wrong)
      throws IOException, InterruptedException {
    Target target = new Target(ready.reachableHost(), ready.port());
    LoadClient client = clients.make(LoadTools.embedded(), folder.file(server.name() + ".client.log"), List.of());
    try (Visitors visitors = Visitors.start(target, EchoProtocol.in(server.speaks()), ready.metrics(), server.cannot().keySet());
        var _ = stop.onStop(client::stop)) {
      LoadResult load =
          client.run(
              plan(target, server.speaks(), soak), folder.file(server.name() + ".hlog"),
              watching(sampling, soak.connections(), client, wrong));
      sampling.end();
      load.verdictReasons().stream().filter(SoakRun::counts).forEach(doubt -> wrong.add("the load: " + doubt.detail()));
      visitors.wrong().ifPresent(wrong::add);
      return visitors.visits();
    }
  }

  /** Whether it speaks against what was soaked: what a busy or noisy host does to times does not. */
  public static boolean counts(Reason doubt) {
    return !doubt.reason().ofTimeAlone() && doubt.reason() != ReasonCode.INTERRUPTED;
  }

  private static LoadPlan plan(Target target, Protocol protocol, Soak soak) {
    Duration length = Quantity.duration(soak.length());
    Duration tenth = length.dividedBy(10);
    Duration warmUp = tenth.compareTo(WARM_UP_LEAST) < 0 ? WARM_UP_LEAST : tenth.compareTo(WARM_UP_MOST) > 0 ? WARM_UP_MOST : tenth;
    int connections = soak.connections();
    return LoadPlan.builder(target, connections, connections * ACTIVE_SHARE * MESSAGES_PER_S_EACH, length)
        .protocol(protocol)
        .activeShare(ACTIVE_SHARE)
        .churn(new Churn(connections * CHURN_PER_S_EACH, Churn.Lifetime.EXPONENTIAL))
        .connectTimeout(CONNECT_TIMEOUT)
        .warmUp(warmUp, warmUp, 0)
        .build();
  }

  /** Samples are taken in the steady state. A load that begins it short of connections is ended: an hour of it would tell nothing. */
  private static LoadListener watching(Sampling sampling, int connections, LoadClient client, List<String> wrong) {
    return new LoadListener() {
      private boolean looked;

      @Override
      public void phase(Phase phase, long monotonicNs) {
        if (phase == Phase.STEADY) {
          sampling.start();
        } else if (phase == Phase.DRAIN) {
          try {
            sampling.end();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      }

      @Override
      public void progress(Progress progress) {
        if (progress.phase() != Phase.STEADY || looked) {
          return;
        }
        looked = true;
        if (progress.established() < connections * HELD_SHARE_LEAST) {
          wrong.add(
              "the load was ended, as it held %,d of %,d connections when it began: a busy host, a limit (./ladder doctor) or the server"
                  .formatted(progress.established(), connections));
          client.stop();
        }
      }
    };
  }
}
