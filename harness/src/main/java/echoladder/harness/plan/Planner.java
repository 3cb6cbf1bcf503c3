package echoladder.harness.plan;

import echoladder.client.Storm;
import echoladder.harness.doctor.ClientTls;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.StandPlace;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.Network;
import echoladder.harness.study.Profile;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** From a study and a host to rungs. Pure arithmetic. */
public final class Planner {
  /** The part of a server's warm-up that is a steady state, which nobody reads. */
  public static final Duration WARM_UP_END = Duration.ofSeconds(1);

  // Server and client are JVMs that start and stop, and the client rehearses for about a second. The figures are from the published
  // runs of `memory` and `load-surface` on two cores: PlanOfPublishedRunTest holds the plan of both to the time that they took.
  private static final long START_NS = 3_900_000_000L;
  /** Start of a client whose server runs already; the connections of the rung before are waited for besides. */
  private static final long CLIENT_START_NS = 3_700_000_000L;
  /** More where server and client have half of the processors each to start on. */
  private static final long APART_NS = 2_800_000_000L;
  /** A warm-up ends when the CPU of an echo falls no more: beyond its least time that took no longer, whatever its bound. */
  private static final long STEADY_CPU_NS = 3_000_000_000L;
  private static final long STOP_NS = 1_000_000_000L;
  private static final long STOP_MOST_NS = 5_000_000_000L;
  private static final long PHASE_NOTICES_NS = 500_000_000L;

  /** Start and stop of the server of a search, which its tries share. */
  static final Duration START_AND_STOP = Duration.ofNanos(START_NS + STOP_NS);

  private Planner() {}

  /**
   * The place where a study is climbed.
   *
   * @param role what of the connections is on this host
   * @param tuples distinct (source, destination, port) of the client; null = loopback's, or this host's addresses
   */
  public record Place(HostFacts facts, Role role, @Nullable Long tuples) {}

  /**
   * The rungs of a study on that host, where the doctor says which are out of reach. The study's servers are all known.
   *
   * @param others finds what else than the doctor's limits is in the way
   */
  public static Plan plan(Study study, Map<String, ServerManifest> servers, Place place, Obstacles.Finder others) {
    List<Rung> rungs = new ArrayList<>();
    Map<String, Examination> top = new LinkedHashMap<>();
    Map<String, Obstacles> obstacles = new HashMap<>();
    for (int connections : study.rungs()) {
      for (Study.Entry entry : study.servers()) {
        ServerManifest server = servers.get(entry.server());
        if (server == null) {
          throw new IllegalArgumentException("the study was checked against other servers: " + entry.server());
        }
        ServerModel known = ServerModel.of(server, entry.options()).startedHere();
        ServerModel model = entry.settings().server().plansMemory() ? known : known.withoutBytes();
        ClientTls tls = ClientTls.of(study.load(entry).overTls(), study.connectsAtOnce(entry));
        Examination examined = Doctor.examine(new Question(connections, place.role(), model, 0, place.tuples(), tls), place.facts());
        top.put(entry.label(), examined);
        obstacles.put(entry.label(),
            others.of(entry, connections).or(entry.settings().server().plansLimits() ? examined.inTheWay() : null));
      }
      for (int repeat = 1; repeat <= study.repeats(); repeat++) {
        for (Study.Entry entry : study.capacity() == null ? order(study, connections, repeat) : referencesFirst(study, servers)) {
          rungs.addAll(stand(study, entry, connections, repeat, Objects.requireNonNull(obstacles.get(entry.label()))));
        }
      }
    }
    return new Plan(rungs, profiled(study, rungs), top);
  }

  /** A repeat of its own for each profile, behind those of the study; a server whose rungs are out of reach has none. */
  private static List<Rung> profiled(Study study, List<Rung> before) {
    List<Profile> profiles = study.breakdown() == null ? List.of() : study.breakdown().profiles();
    List<Rung> rungs = new ArrayList<>();
    for (int i = 0; i < profiles.size(); i++) {
      for (int connections : study.rungs()) {
        int repeat = study.repeats() + 1 + i;
        for (Study.Entry entry : order(study, connections, repeat)) {
          if (profiles.get(i).watches(entry) && within(before, entry.label(), connections)) {
            rungs.addAll(profiled(study, entry, connections, repeat, profiles.get(i)));
          }
        }
      }
    }
    return rungs;
  }

  private static boolean within(List<Rung> rungs, String label, int connections) {
    return rungs.stream().filter(rung -> rung.label().equals(label) && rung.connections() == connections).allMatch(Rung::attempted);
  }

  private static List<Rung> profiled(Study study, Study.Entry entry, int connections, int repeat, Profile profile) {
    StudyLoad load = study.load(entry);
    List<Double> rates = load.severalRates() ? RateOrder.of(profile.among(load.totalsPerS()), load.seed(), repeat)
        : load.ratesPerS(connections);
    List<Rung> rungs = new ArrayList<>();
    for (int place = 1; place <= rates.size(); place++) {
      double rate = rates.get(place - 1);
      long warm = standWarmUp(study, load, connections);
      long around = place > 1 ? clientStart(load) : START_NS + apart(load) + warm;
      long likely = around + likely(study, load, connections, rate) + cut(entry) + (place == rates.size() ? STOP_NS : 0);
      long most = study.bounds().serverStartNs() + warm + most(study, load, connections, rate) + cut(entry) + STOP_MOST_NS;
      StandPlace stand = load.severalRates() ? new StandPlace(place, false) : null;
      RungKey key = new RungKey(entry.label(), connections, stand == null ? null : (Double) rate, repeat, false);
      rungs.add(new Rung(key, rate, stand, 1, Duration.ofNanos(likely), Duration.ofNanos(most), Obstacles.NONE, profile.kind()));
    }
    return rungs;
  }

  /**
   * The servers of one repeat, which is what pairs are made of, in the order in which they are measured: the study's in
   * a study of single runs; else drawn by its seed, as a server that always came after the same one would get that one's
   * leftovers for its own. Servers that compare, and the two values of a knob, come one after the other, as the host is another
   * some minutes later.
   */
  private static List<Study.Entry> order(Study study, int connections, int repeat) {
    if (study.repeats() == 1) {
      return study.servers();
    }
    // java.util.Random gives seeds in a row the same first draws, so that one ground would always come first.
    RandomGenerator random = new SplittableRandom(study.load().seed() * 1_000_003 + connections * 101L + repeat);
    Map<Object, List<Study.Entry>> grounds = new LinkedHashMap<>();
    study
        .servers()
        .forEach(entry -> grounds.computeIfAbsent(entry.knob() == null ? study.ground(entry) : entry.knob().name(), _ -> new ArrayList<>())
            .add(entry));
    List<List<Study.Entry>> order = new ArrayList<>(grounds.values());
    Collections.shuffle(order, random);
    order.forEach(together -> Collections.shuffle(together, random));
    return order.stream().flatMap(List::stream).toList();
  }

  /** The servers of a search, where what the floor holds bounds what is asked of the others. */
  private static List<Study.Entry> referencesFirst(Study study, Map<String, ServerManifest> servers) {
    List<Study.Entry> order = new ArrayList<>(study.servers());
    order.sort(Comparator.comparing(entry -> !Objects.requireNonNull(servers.get(entry.server())).reference()));
    return order;
  }

  /** All rungs of one server at one connection count in one repeat: one, or one for each rate and the check for drift. */
  private static List<Rung> stand(Study study, Study.Entry entry, int connections, int repeat, Obstacles obstacles) {
    StudyLoad load = study.load(entry);
    String label = entry.label();
    if (study.capacity() != null) {
      return List.of(
          new Rung(
              new RungKey(label, connections, null, repeat, false), load.totalPerS(connections), null,
              SearchPlan.likely(study, load, connections), SearchPlan.most(study, load, connections), obstacles));
    }
    if (!load.severalRates()) {
      double rate = load.totalPerS(connections);
      return List.of(
          new Rung(
              new RungKey(label, connections, null, repeat, false), rate, null,
              Duration.ofNanos(START_NS + apart(load) + likely(study, load, connections, rate) + cut(entry) + STOP_NS),
              Duration.ofNanos(study.bounds().serverStartNs() + most(study, load, connections, rate) + cut(entry) + STOP_MOST_NS),
              obstacles));
    }
    List<Double> order = new ArrayList<>(RateOrder.of(load.totalsPerS(), load.seed(), repeat));
    order.add(order.getFirst());
    List<Rung> rungs = new ArrayList<>();
    for (int place = 1; place <= order.size(); place++) {
      double rate = order.get(place - 1);
      boolean first = place == 1;
      boolean last = place == order.size();
      long warm = standWarmUp(study, load, connections);
      long likely = likely(study, load, connections, rate) + cut(entry) + (first ? START_NS + apart(load) + warm : clientStart(load))
          + (last ? STOP_NS : 0);
      // A server that did not survive a rate is started anew for the next one.
      long most = study.bounds().serverStartNs() + warm + most(study, load, connections, rate) + cut(entry) + STOP_MOST_NS;
      rungs.add(
          new Rung(
              new RungKey(label, connections, rate, repeat, last), rate, new StandPlace(place, last),
              Duration.ofNanos(likely), Duration.ofNanos(most), obstacles));
    }
    return rungs;
  }

  /**
   * The rates at which a server that gets several is warmed up: at the lowest a JVM runs, and compiles, other paths than at the
   * highest.
   */
  public static List<Double> warmUpRates(Study study) {
    List<Double> rates = study.load().totalsPerS();
    return List.of(rates.getLast(), rates.getFirst());
  }

  /** Warm-up of a server that was just started for several rates, in ns. */
  private static long standWarmUp(Study study, StudyLoad load, int connections) {
    Study.Phases phases = study.phases();
    return phases.standWarmUpNs() == 0
        ? 0
        : warmUpRates(study).size() * (ramp(phases, connections) + phases.standWarmUpNs() + WARM_UP_END.toNanos() + clientStart(load));
  }

  private static long clientStart(StudyLoad load) {
    return CLIENT_START_NS + apart(load);
  }

  private static long apart(StudyLoad load) {
    return load.cpus().equals(Cpus.SHARED) ? 0 : APART_NS;
  }

  /** A try against a server that runs already. */
  static Duration likelyOfTry(Study study, StudyLoad load, int connections, double rate, int length) {
    return Duration.ofNanos(likely(study, load, connections, rate) + clientStart(load) + (length - 1) * study.phases().steadyNs());
  }

  /** A try whose server has to be started anew. */
  static Duration mostOfTry(Study study, StudyLoad load, int connections, double rate, int length) {
    return Duration.ofNanos(
        study.bounds().serverStartNs() + most(study, load, connections, rate) + STOP_MOST_NS + (length - 1) * study.phases().steadyNs());
  }

  /** Without start and stop of the server. */
  private static long likely(Study study, StudyLoad load, int connections, double rate) {
    Study.Phases phases = study.phases();
    double echoes = phases.warmUpEchoes(rate);
    long least = Math.min(phases.warmUpMaxNs(), Math.max(phases.warmUpMinNs(), (long) (echoes / rate * 1e9)));
    long warmUp = least + Math.min(STEADY_CPU_NS, (phases.warmUpMaxNs() - least) / 2);
    return ramp(phases, connections)
        + phases.acceptStallNs()
        + warmUp
        + study.steadyNs(load, connections, rate)
        + rollCall(phases, load, connections, rate)
        + PHASE_NOTICES_NS
        + storm(load, START_NS);
  }

  private static long most(Study study, StudyLoad load, int connections, double rate) {
    Study.Phases phases = study.phases();
    return ramp(phases, connections)
        + phases.acceptStallNs()
        + phases.connectTimeoutNs()
        + phases.warmUpMaxNs()
        + study.steadyNs(load, connections, rate)
        + phases.drainNs()
        + rollCall(phases, load, connections, rate)
        + phases.connectTimeoutNs()
        + PHASE_NOTICES_NS
        + storm(load, Storm.WITHIN.toNanos());
  }

  /** As the embedded client paces it; users in stages are not asked. */
  private static long rollCall(Study.Phases phases, StudyLoad load, int connections, double rate) {
    return load.staged() != null ? 0 : (long) (connections / Math.max(phases.connectsPerS(), rate) * 1e9);
  }

  /** How long the link of an entry stays cut after each of its rungs: at most, as many servers do not notice. */
  private static long cut(Study.Entry entry) {
    Network network = entry.settings().network();
    return network == null || network.cutMostNs() == null ? 0 : network.cutMostNs();
  }

  private static long storm(StudyLoad load, long ns) {
    return load.storm() == null ? 0 : ns;
  }

  private static long ramp(Study.Phases phases, int connections) {
    return (long) (connections / phases.connectsPerS() * 1e9);
  }
}
