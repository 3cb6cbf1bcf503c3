package echoladder.harness.published;

import echoladder.client.LoadResult;
import echoladder.client.Verdict;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Units;
import echoladder.harness.report.Publication;
import echoladder.harness.report.samples.WholeLog;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.Environment;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What speaks against publishing a run that somebody submits, by its folder alone: whether it is one that others can repeat, what
 * its verdicts and the doctor say, and whether it tells enough of each host. The folder may be the whole run's, or what
 * {@link Publication} makes of it. docs/SUBMIT.md has the same list for who submits.
 */
public final class Submission {
  /** What no comparison of two hosts can do without. */
  private static final List<String> OF_EVERY_HOST =
      List.of("kernel.release", "kernel.architecture", "cpu.processors", "runtimes.jvm", "limits.nofile_hard", "sysctl");

  /** Where the server is, whose memory is bounded by it. */
  private static final String MEMORY = "memory.total_bytes";

  private static final int MOST_SHOWN = 5;

  private final RunFolder folder;
  private final RunRecord run;
  private final List<String> against = new ArrayList<>();

  private Submission(RunFolder folder, RunRecord run) {
    this.folder = folder;
    this.run = run;
  }

  /** Each thing that speaks against it, with what to do; none where it can be published. */
  public static List<String> against(RunFolder folder, RunRecord run) {
    Submission submission = new Submission(folder, run);
    submission.program();
    submission.server();
    submission.verdicts();
    submission.doctor();
    submission.environment();
    submission.times();
    return List.copyOf(submission.against);
  }

  private void say(String what) {
    against.add(what);
  }

  private void program() {
    if (run.instrument() != Instrument.VERSION) {
      say(
          ("program: it was measured by instrument %d, and this ladder's is %d, so its figures compare with no other; measure again with"
              + " this version")
              .formatted(run.instrument(), Instrument.VERSION));
    }
    if (at(run.environment(), "ladder.git_commit") == null) {
      say("program: no commit is recorded, so nobody can have the same program; measure from a clone or an unpacked release");
    } else if (!Boolean.FALSE.equals(at(run.environment(), "ladder.git_dirty"))) {
      say("program: there were changes beside its commit, which nobody else has; commit them, and measure again");
    }
    if (!(run.environment().get(ProgramHashes.KEY) instanceof Map<?, ?> code) || code.isEmpty()) {
      say("program: environment." + ProgramHashes.KEY + ", the hashes of what ran, is missing; measure again with this version");
    }
  }

  private void server() {
    if (run.attached() != null) {
      say("server: it was started by somebody else (--attach), so nothing is known of its host; measure with --hosts, which looks at"
          + " each host");
    }
    run.servers().stream()
        .filter(of -> of.own() != null)
        .forEach(of -> say("server: nobody else has '" + of.label() + "' (--own); add it as a folder below servers/, and measure again"));
  }

  private void verdicts() {
    if (run.status() != RunRecord.Status.COMPLETE) {
      say("verdicts: the run did not come to its end; go on with ./ladder run --resume " + run.runId());
    }
    for (RungRecord rung : run.rungs()) {
      if (rung.load() != null && !follows(rung.load())) {
        say("verdicts: %s is called %s, which its reasons do not give: run.json was changed"
            .formatted(name(rung), rung.load().verdict().id()));
      }
    }
    if (run.status() == RunRecord.Status.COMPLETE && !run.asExpected()) {
      List<CapacityRecord> open = run.capacity().stream().filter(search -> !search.told()).toList();
      if (!open.isEmpty()) {
        String which =
            open.stream().map(search -> search.server() + " " + Units.count(search.connections())).collect(Collectors.joining(", "));
        say("verdicts: %d of %d searches ended without a rate that stands (%s), see REPORT.md; measure again on a quiet host"
            .formatted(open.size(), run.capacity().size(), which));
        return;
      }
      List<RungRecord> invalid = run.rungs().stream().filter(rung -> rung.load() != null && !rung.valid() && !rung.saturated()).toList();
      String what =
          invalid.isEmpty()
              ? "the run did not come out as its study expects, see the end of each climb in REPORT.md"
              : "%d of %d rungs are invalid (%s)".formatted(invalid.size(), run.rungs().size(), reasons(invalid));
      say("verdicts: " + what + "; measure again on a quiet host, or leave out by --set rungs what it cannot carry");
    }
  }

  /** Whether a verdict follows from its reasons. In older runs noise made a rung invalid. */
  private static boolean follows(LoadResult load) {
    boolean older = load.verdict() == Verdict.INVALID && load.verdictReasons().stream().anyMatch(doubt -> doubt.reason().noise());
    return older || load.verdict() == Verdict.of(load.verdictReasons());
  }

  private static String reasons(List<RungRecord> invalid) {
    String shown =
        invalid.stream()
            .limit(MOST_SHOWN)
            .map(
                rung ->
                    name(rung) + ": "
                        + (rung.load() == null ? "" : rung.load().verdictReasons().stream().map(doubt -> doubt.reason().id()).distinct()
                            .collect(Collectors.joining(", "))))
            .collect(Collectors.joining("; "));
    return invalid.size() > MOST_SHOWN ? shown + "; ..." : shown;
  }

  private static String name(RungRecord rung) {
    return rung.server() + " " + rung.key().load() + (rung.repeat() > 1 ? ", repeat " + rung.repeat() : "");
  }

  private void doctor() {
    List<?> answers = run.environment().get("doctor") instanceof List<?> list ? list : List.of();
    for (RunRecord.ServerRecord server : run.servers()) {
      if (answer(answers, "server", server.label()).isEmpty()) {
        say("doctor: environment.doctor has no answer for '" + server.label() + "'; measure again with this version");
      }
    }
    run.hostsIn("clients").stream()
        .filter(host -> answer(answers, "host", host).isEmpty())
        .forEach(host ->
            say("doctor: environment.doctor has no answer for the client host '" + host + "'; measure again with this version"));
    for (RungRecord rung : run.rungs()) {
      Map<?, ?> of = answer(answers, "server", rung.server()).orElse(Map.of());
      boolean denied = "out-of-reach".equals(of.get("reach")) && of.get("connections") instanceof Number asked
          && rung.connections() >= asked.longValue();
      if (denied && rung.valid()) {
        say(
            ("doctor: it says that %s connections are out of reach, and %s is valid: one of the two is wrong; report it with the whole"
                + " folder")
                .formatted(Units.count(rung.connections()), name(rung)));
      }
    }
  }

  private static Optional<Map<?, ?>> answer(List<?> answers, String key, String name) {
    for (Object answer : answers) {
      if (answer instanceof Map<?, ?> of && name.equals(of.get(key))) {
        return Optional.of(of);
      }
    }
    return Optional.empty();
  }

  private void environment() {
    List<String> ofServer = new ArrayList<>(OF_EVERY_HOST);
    ofServer.add(MEMORY);
    environment("the host", run.environment(), ofServer);
    if (run.environment().get(Environment.HOSTS) instanceof Map<?, ?> hosts) {
      for (String client : run.hostsIn("clients")) {
        Map<?, ?> of = hosts.get(client) instanceof Map<?, ?> told ? told : Map.of();
        environment("the client host '" + client + "'", of, OF_EVERY_HOST);
      }
    }
    if (run.environment().get("lab") != null && run.environment().get("host_of_lab") == null) {
      say("environment: it ran in a lab, and nothing is said of the host below it (environment.host_of_lab); measure again with this"
          + " version");
    }
  }

  private void environment(String host, Map<?, ?> of, List<String> needed) {
    String lacks = needed.stream().filter(path -> at(of, path) == null).collect(Collectors.joining(", "));
    if (!lacks.isEmpty()) {
      say("environment: of %s it does not say %s; see environment.not_shown for why, and measure where that is shown"
          .formatted(host, lacks));
    }
  }

  /** A value by its dotted path; null where there is none. */
  private static @Nullable Object at(Map<?, ?> from, String path) {
    Object found = from;
    for (String part : path.split("\\.", -1)) {
      found = found instanceof Map<?, ?> map ? map.get(part) : null;
    }
    return found;
  }

  /** Whether it is a load tool that writes no interval log. */
  private static boolean ofOthers(String client) {
    return LoadTools.known(client) && !LoadTools.ofId(client).ours();
  }

  /** Whether the logs are whole, and give the percentiles that stand in run.json. */
  private void times() {
    boolean merged = folder.files().has(Publication.LIST);
    for (RungRecord rung : run.rungs()) {
      if (!rung.valid() || rung.staged() != null) {
        continue;
      }
      if (rung.histograms() == null) {
        if (rung.load() == null || !ofOthers(rung.load().client())) {
          say("times: %s: it has no interval log, so nobody can check its percentiles; measure again".formatted(name(rung)));
        }
        continue;
      }
      Optional<String> damage = merged ? Optional.empty() : WholeLog.damage(folder, run, rung);
      damage.or(() -> LogTimes.difference(folder.files(), rung))
          .ifPresent(why -> say("times: %s: %s: %s".formatted(name(rung), rung.histograms(), why)));
    }
  }
}
