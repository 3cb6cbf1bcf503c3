package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.ANY;

import echoladder.harness.knobs.KnobRow;
import echoladder.harness.knobs.Knobs;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files that give a host what the doctor asks for: kernel settings, limits of logins and of a service. No value is lower
 * than what is in force, and none lowers what other users have. Pure.
 */
public final class Prescription {
  /** The kernel settings, which {@code tune apply} and sysctl(8) take. */
  public static final String SYSCTL = "sysctl.d/90-echo-ladder.conf";

  /** For pam_limits. */
  public static final String LIMITS = "limits.d/90-echo-ladder.conf";

  /** For a unit of systemd. */
  public static final String SERVICE = "systemd/90-echo-ladder-service.conf";

  /** The two for a server with a thread per connection; nobody else needs them. */
  static final String LIMITS_OF_THREADS = "limits.d/90-echo-ladder-threads.conf";

  static final String SERVICE_OF_THREADS = "systemd/90-echo-ladder-service-threads.conf";

  private static final String OF_UNIT = "Copy it to /etc/systemd/system/NAME.service.d/, then systemctl daemon-reload and restart NAME.";
  private static final String DESCRIPTORS = "\n# lifts:   descriptors per process\n# value:   ";
  private static final String THREADS = "\n# lifts:   processes and threads per user; root is exempt\n# value:   ";

  /** What others have nobody can see from here. */
  private static final String NO_NUMBER =
      ". A number could lower what somebody has, so there is none:\n#          kernel.threads-max and kernel.pid_max still bound them";

  /** Numbers that grow with what runs on the host at the moment are rounded up to these, so that they stay for a while. */
  private static final long STEP = 4_096;

  /** The kernel makes its table of so many buckets at a time: a page of 8 B each. */
  private static final long BUCKETS_STEP = 512;

  private static final String BUCKETS = "net.netfilter.nf_conntrack_buckets";

  private final Examination found;
  private final Knobs known;
  private final List<String> notes = new ArrayList<>();

  /**
   * For what was found.
   *
   * @param known say of each setting what it lifts, its default and its counter
   */
  public Prescription(Examination found, Knobs known) {
    this.found = found;
    this.known = known;
  }

  /** The files by their path below a folder, in the order of a person who copies them. */
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put(SYSCTL, sysctl());
    files.put(LIMITS, limits());
    files.put(SERVICE, service());
    row(KnownLimit.NPROC).filter(row -> found.question().threads() > 0 && row.needed() != null).ifPresent(
        row -> {
          files.put(LIMITS_OF_THREADS, limitsOfThreads(row));
          files.put(SERVICE_OF_THREADS, serviceOfThreads(row));
        });
    return files;
  }

  /** What could not be prescribed, a sentence each; after {@link #files}. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  private String head(String where) {
    return "# For %,d connections%s, %s, on a host as this one was when it was written.\n# %s\n"
        .formatted(
            found.question().connections(),
            found.question().server().name() == null ? "" : " to " + found.question().server().name(),
            found.question().role().words,
            where);
  }

  private String sysctl() {
    StringBuilder text =
        new StringBuilder(head("./ladder tune apply THIS-FILE sets it until the next boot; copied to /etc/sysctl.d/ it stays."));
    for (Row row : found.rows()) {
      knob(row).ifPresent(knob -> append(text, knob));
      if (row.limit().equals(KnownLimit.CONNTRACK.id())) {
        buckets(row).ifPresent(knob -> append(text, knob));
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Knob knob) {
    text.append('\n');
    knob.comments().forEach(comment -> text.append("# ").append(comment).append('\n'));
    text.append(knob.key()).append(" = ").append(knob.value()).append('\n');
  }

  /** What is asked of the first setting of a row, or what is there where that is enough; empty where nothing is asked. */
  private Optional<Knob> knob(Row row) {
    KnownLimit limit = KnownLimit.ofId(row.limit());
    // A switch has no more and less.
    if (row.needed() == null || limit.settings().isEmpty() || limit == KnownLimit.OVERCOMMIT) {
      return Optional.empty();
    }
    String key = limit.settings().getFirst();
    String present = found.host().sysctl().get(key);
    String ports = limit == KnownLimit.RESERVED_PORTS && row.needed() > 0 ? Integer.toString(found.question().port()) : "";
    if (present == null || (present.isBlank() && ports.isEmpty())) {
      if (row.answer() == Row.Answer.UNKNOWN) {
        notes.add(key + " is left out: this kernel or network namespace does not show what is in force");
      }
      return Optional.empty();
    }
    String asked = !ports.isEmpty() ? ports : row.setting().filter(knob -> knob.key().equals(key)).map(Knob::value).orElse(present);
    String value = Values.covering(key, present, limit == KnownLimit.PID_MAX || limit == KnownLimit.CONNTRACK ? rounded(asked) : asked);
    return Optional.of(new Knob(key, value, false, comments(key, limit, row.arithmetic(), value.equals(present) ? present : null)));
  }

  /** With as many buckets as entries a full table has chains of two, as by default: an entry stands there for each direction. */
  private Optional<Knob> buckets(Row row) {
    String present = found.host().sysctl().get(BUCKETS);
    Knob most = knob(row).orElse(null);
    if (present == null || most == null || !most.value().matches("\\d{1,15}")) {
      return Optional.empty();
    }
    long wanted = Math.ceilDiv(Long.parseLong(most.value()), BUCKETS_STEP) * BUCKETS_STEP;
    String value = Values.covering(BUCKETS, present, Long.toString(wanted));
    return Optional.of(
        new Knob(
            BUCKETS, value, false,
            comments(
                BUCKETS, KnownLimit.CONNTRACK,
                "as many as entries, %s, rounded up to a multiple of %d".formatted(most.value(), BUCKETS_STEP),
                value.equals(present) ? present : null)));
  }

  private static String rounded(String asked) {
    return asked.matches("\\d{1,15}") ? Long.toString(Math.ceilDiv(Long.parseLong(asked), STEP) * STEP) : asked;
  }

  /**
   * Four lines, as those of a profile.
   *
   * @param kept the value in force where that is enough; null = it is not
   */
  private List<String> comments(String key, KnownLimit limit, String arithmetic, @Nullable String kept) {
    Optional<KnobRow> row = known.ofSysctl(key);
    return List.of(
        "lifts:   " + row.map(KnobRow::lifts).orElse(limit.unit() + ": " + limit.id()),
        "default: " + row.map(KnobRow::stands).orElse("the kernel's own"),
        "value:   " + arithmetic + (kept == null ? "" : "; " + kept + " is in force and enough"),
        "counter: " + row.map(KnobRow::counter).orElse("runbooks/symptoms/" + limit.page() + ".md"));
  }

  private String limits() {
    String nofile = number(nofile());
    return head("Copy it to /etc/security/limits.d/ and log in anew. Root needs a line of its own, as '*' does not mean it.")
        + ("# Try first, as root: prlimit --nofile=%s:%s true. Where that fails (fs.nr_open is lower, a container), this file ends"
            + " every login.\n").formatted(nofile, nofile)
        + DESCRIPTORS
        + nofileArithmetic()
        + "\n#          Soft and hard alike: JVM and Go raise their soft limit by themselves, other programs do not"
        + "\n*    soft nofile %1$s\n*    hard nofile %1$s\nroot soft nofile %1$s\nroot hard nofile %1$s\n".formatted(nofile);
  }

  private String limitsOfThreads(Row row) {
    return head("Copy it to /etc/security/limits.d/ and log in anew. In place of '*' a user's name leaves everybody else's limit as it is.")
        + THREADS
        + row.arithmetic()
        + NO_NUMBER
        + "\n*    soft nproc unlimited\n*    hard nproc unlimited\n";
  }

  private String service() {
    long nofile = nofile();
    return head(OF_UNIT)
        + "[Service]\n"
        + DESCRIPTORS
        + nofileArithmetic()
        + "\nLimitNOFILE="
        + (nofile == ANY ? "infinity" : Long.toString(nofile))
        + '\n';
  }

  private String serviceOfThreads(Row row) {
    return head(OF_UNIT)
        + "[Service]\n"
        + THREADS
        + row.arithmetic()
        + NO_NUMBER
        + "\nLimitNPROC=infinity\n\n# lifts:   processes and threads of the unit: its cgroup's pids.max\n# value:   T = "
        + found.question().threads()
        + " and the runtime's own"
        + NO_NUMBER
        + "\nTasksMax=infinity\n";
  }

  private Optional<Row> row(KnownLimit limit) {
    return found.rows().stream().filter(row -> row.limit().equals(limit.id())).findFirst();
  }

  private static long most(Row row) {
    long needed = row.needed() == null ? 0 : row.needed();
    return Math.max(needed, row.present() == null ? 0 : row.present());
  }

  /** What the side that needs most needs, and no less than any login or unit has. */
  private long nofile() {
    long most = Math.max(found.host().nofileHard(), othersNofile());
    for (KnownLimit limit : List.of(KnownLimit.NOFILE_SERVER, KnownLimit.NOFILE_CLIENT)) {
      most = Math.max(most, row(limit).map(Prescription::most).orElse(0L));
    }
    return most;
  }

  /** More than fs.nr_open nobody has, and few raise that. Where root may not raise its own limit, nobody has more than this process. */
  private long othersNofile() {
    HostFacts host = found.host();
    Long nrOpen = host.number("fs.nr_open");
    boolean bound = host.uid() == 0 && !host.raisesHardLimits();
    return bound ? 0 : Math.min(DescriptorLimits.DROP_IN_NOFILE, nrOpen == null ? ANY : nrOpen);
  }

  private String nofileArithmetic() {
    List<String> parts = new ArrayList<>();
    row(KnownLimit.NOFILE_SERVER).filter(row -> row.needed() != null).ifPresent(row -> parts.add("server " + row.arithmetic()));
    row(KnownLimit.NOFILE_CLIENT).filter(row -> row.needed() != null).ifPresent(row -> parts.add("client " + row.arithmetic()));
    return String.join("; ", parts)
        + "; in force: "
        + number(found.host().nofileHard())
        + (othersNofile() == 0
            ? ""
            : "; others have up to %d.\n#          Where fs.nr_open was raised, somebody may have more: ulimit -Hn of a login says so"
                .formatted(othersNofile()));
  }

  private static String number(long amount) {
    return amount == ANY ? "unlimited" : Long.toString(amount);
  }
}
