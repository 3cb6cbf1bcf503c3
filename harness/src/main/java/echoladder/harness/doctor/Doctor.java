package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.ANY;
import static echoladder.harness.doctor.Limit.count;
import static java.util.stream.Collectors.joining;

import echoladder.harness.doctor.Examination.Reach;
import echoladder.harness.doctor.Row.Answer;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.tune.SettingsProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** From a question and the facts of a host to an answer. Pure arithmetic. */
public final class Doctor {
  /** Held in the lab by virtual threads, both ends and all, with about 9 KB each; what is known to cost more counts so. */
  private static final long LAB_CONNECTIONS = 1_000_000;

  private static final long LAB_BYTES = 9_000;

  private Doctor() {}

  /** Compares every limit with what the connections need. */
  public static Examination examine(Question question, HostFacts host) {
    List<Row> rows = new ArrayList<>();
    rows.addAll(DescriptorLimits.rows(question, host));
    rows.addAll(TaskLimits.rows(question, host));
    rows.addAll(MemoryLimits.rows(question, host));
    rows.addAll(PortLimits.rows(question, host));
    rows.addAll(QueueLimits.rows(question, host));
    List<Row> shorts = rows.stream().filter(row -> row.answer() == Answer.SHORT).sorted(fewestFirst()).toList();
    List<Row> firm = shorts.stream().filter(row -> !Boolean.TRUE.equals(row.liftable())).toList();
    Reach reach = shorts.isEmpty() ? Reach.IN_REACH : firm.isEmpty() ? Reach.AFTER_LIFTING : Reach.OUT_OF_REACH;
    long now = rows.stream().mapToLong(Doctor::allowed).min().orElse(ANY);
    List<String> shortfalls = shortfalls(question, host, shorts, firm);
    String inTheWay =
        shorts.isEmpty()
            ? null
            : String.join("; ", shortfalls)
                + "; see runbooks/symptoms/" + (firm.isEmpty() ? shorts : firm).getFirst().page() + ".md";
    List<String> answer = new ArrayList<>(shortfalls);
    answer.addAll(outlook(question, rows, shorts.isEmpty()));
    return new Examination(question, reach, now, inTheWay, answer, rows, host);
  }

  private static long allowed(Row row) {
    Long connections = row.connections();
    return connections == null ? ANY : connections;
  }

  private static Comparator<Row> fewestFirst() {
    return Comparator.comparingLong(Doctor::allowed);
  }

  /** A sentence for each limit that falls short. */
  private static List<String> shortfalls(Question question, HostFacts host, List<Row> shorts, List<Row> firm) {
    List<String> answer = new ArrayList<>();
    if (!firm.isEmpty()) {
      Row first = firm.getFirst();
      answer.add(
          "%s connections %s here: %s%s"
              .formatted(count(allowed(first)), scope(first), first.because(), lab(question, host, firm)));
      firm.stream()
          .skip(1)
          .forEach(row -> answer.add("then %s by %s: %s".formatted(count(allowed(row)), row.limit(), row.because())));
      shorts.stream().filter(row -> !firm.contains(row)).forEach(row -> answer.add(liftable(row)));
    } else {
      shorts.forEach(row -> answer.add(liftable(row)));
    }
    return answer;
  }

  /** What comes first where nothing falls short, what is not known, and what may hurt. */
  private static List<String> outlook(Question question, List<Row> rows, boolean inReach) {
    List<String> answer = new ArrayList<>();
    if (inReach) {
      Optional<Row> next = rows.stream().filter(row -> allowed(row) < ANY).min(fewestFirst());
      next.ifPresent(
          row ->
              answer.add(
                  "the first limit is at %s connections %s: %s %s"
                      .formatted(count(allowed(row)), scope(row), row.limit(), count(row.present()))));
    }
    String unknown = names(rows, Answer.UNKNOWN);
    if (!unknown.isEmpty()) {
      answer.add("not known, see --explain: " + unknown);
    }
    List<Row> risky = rows.stream().filter(row -> row.answer() == Answer.RISK).toList();
    risky.stream().filter(Doctor::softLimit).forEach(
        row ->
            answer.add(
                "%s connections by %s (%s) if the server does not raise it, as JVM and Go do: %s before it starts, or give --server NAME"
                    .formatted(
                        count(Math.max(0, row.present() == null ? 0 : row.present() - DescriptorLimits.SERVER_OWN)), row.limit(),
                        count(row.present()), row.lift())));
    String risks = names(risky.stream().filter(row -> !softLimit(row)).toList(), Answer.RISK);
    if (!risks.isEmpty()) {
      answer.add("may slow or hurt it: " + risks + "; './ladder tune show %s' has knobs"
          .formatted(SettingsProfile.forConnections(question.connections())));
    }
    return answer;
  }

  private static boolean softLimit(Row row) {
    return row.limit().equals(KnownLimit.NOFILE_SOFT.id());
  }

  private static String liftable(Row row) {
    return "%s connections by %s (%s) until it is lifted, which this process may do: %s"
        .formatted(count(allowed(row)), row.limit(), count(row.present()), row.lift());
  }

  private static String scope(Row row) {
    return row.limit().equals("nofile hard, server") ? "per process" : "on this host";
  }

  /** What a kernel of its own would hold, as far as memory goes: it lifts every other limit. */
  private static String lab(Question question, HostFacts host, List<Row> firm) {
    long memory = Long.MAX_VALUE;
    Long available = host.memoryAvailableBytes();
    CgroupLimit group = host.memory();
    if (available != null) {
      memory = available;
    }
    if (group != null) {
      memory = Math.min(memory, group.left());
    }
    long held = Math.min(question.connections(), LAB_CONNECTIONS);
    // There both ends are in one kernel, whatever is on this host now.
    Question inside = new Question(question.connections(), Role.BOTH, question.server(), 0, null, question.tls());
    long byMemory = Math.max(0, (memory - MemoryLimits.FIXED_BYTES) / Math.max(LAB_BYTES, MemoryLimits.each(inside)));
    held = Math.min(held, byMemory);
    return held > allowed(firm.getFirst()) ? "; %s in the lab".formatted(count(held)) : "";
  }

  private static String names(List<Row> rows, Answer answer) {
    return rows.stream().filter(row -> row.answer() == answer).map(Row::limit).collect(joining(", "));
  }
}
