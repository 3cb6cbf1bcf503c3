package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.ANY;
import static echoladder.harness.doctor.Limit.count;

import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.List;

/** Descriptors per process and on the host, and what epoll watches of them. */
public final class DescriptorLimits {
  /** Descriptors of a server besides its connections: files of its runtime, listener, epoll, metrics. */
  public static final long SERVER_OWN = 100;

  /** Descriptors of a client process besides its connections. */
  static final long CLIENT_OWN = 256;

  static final long CLIENT_PROCESSES = 256;

  /** Open files of the rest of the host. */
  static final long HOST_OWN = 10_240;

  /** Begins the remark behind a command whose limit is in force from the next login on. */
  static final String AT_LOGIN = "  # then log in anew";

  private static final String DROP_IN = "cp sysctl/limits/limits.d/90-echo-ladder.conf /etc/security/limits.d/";

  /** What the drop-in gives: the default of fs.nr_open, beyond which no process has any. */
  public static final long DROP_IN_NOFILE = 1_048_576;

  private DescriptorLimits() {}

  static List<Row> rows(Question question, HostFacts host) {
    List<Row> rows = new ArrayList<>();
    long n = question.connections();
    long hard = host.nofileHard();
    long server = question.role().server ? n + SERVER_OWN : 0;
    long client = question.role().client ? Math.ceilDiv(n, CLIENT_PROCESSES) + CLIENT_OWN : 0;
    // The commands of both sides ask for the same: else the second that somebody runs undoes the first.
    long most = Math.max(server, client);
    if (question.role().server) {
      rows.add(
          hard(host, KnownLimit.NOFILE_SERVER, most)
              .needs(server, "N + %d of the server's own".formatted(SERVER_OWN))
              .allows(hard == ANY ? ANY : hard - SERVER_OWN)
              .row());
    }
    if (question.role().client) {
      long each = hard == ANY ? ANY : hard - CLIENT_OWN;
      rows.add(
          hard(host, KnownLimit.NOFILE_CLIENT, most)
              .needs(client, "N / %d client processes at most + %d of each one's own".formatted(CLIENT_PROCESSES, CLIENT_OWN))
              .note(each < 1 ? "no connection fits" : "client processes here: " + count(Math.ceilDiv(n, each)))
              .allows(each > ANY / CLIENT_PROCESSES ? ANY : each * CLIENT_PROCESSES)
              .row());
    }
    rows.add(soft(question, host, server, most));
    Long nrOpen = host.number("fs.nr_open");
    rows.add(
        Limit.sysctl(host, KnownLimit.NR_OPEN)
            .needs(most, "no process may open more: the larger one of the two above")
            .allows(nrOpen == null ? null
                : (Long) (question.role().server ? nrOpen - SERVER_OWN : (nrOpen - CLIENT_OWN) * CLIENT_PROCESSES))
            .row());
    Long fileMax = host.number("fs.file-max");
    rows.add(
        Limit.sysctl(host, KnownLimit.FILE_MAX)
            .needs(question.ends() + HOST_OWN, "%d x N + %,d for the rest of the host".formatted(question.role().ends, HOST_OWN))
            .allows(fileMax == null ? null : (Long) ((fileMax - HOST_OWN) / question.role().ends))
            .exempt(host.unboundByFileMax() ? "this process is exempt by CAP_SYS_ADMIN" : null)
            .row());
    Long watches = host.number("fs.epoll.max_user_watches");
    rows.add(
        Limit.sysctl(host, KnownLimit.EPOLL_WATCHES)
            .needs(question.ends(), "%d x N of one user".formatted(question.role().ends))
            .allows(watches == null ? null : (Long) (watches / question.role().ends))
            .row());
    return rows;
  }

  /** It binds a server that does not raise it. Of one that was not named nobody knows. */
  private static Row soft(Question question, HostFacts host, long server, long most) {
    long soft = host.nofileSoft();
    String source = " (" + host.nofileSource() + ")";
    Boolean raised = question.server().raisesSoftLimit();
    if (!question.role().server || Boolean.TRUE.equals(raised)) {
      String who = question.role().server ? "the server has the hard one, as JVM and Go do" : "the client is a JVM, which raises it";
      return Limit.of(host, KnownLimit.NOFILE_SOFT).present(soft).note(who + source).row();
    }
    Limit limit =
        server <= host.nofileHard()
            ? Limit.of(host, KnownLimit.NOFILE_SOFT).lift("ulimit -Sn " + server, true, "")
            : hard(host, KnownLimit.NOFILE_SOFT, most);
    return limit
        .present(soft)
        .needs(server, "N + %d, as above".formatted(SERVER_OWN))
        .note("JVM and Go raise it to the hard one as they start, other programs keep it" + source)
        .allows(soft == ANY ? ANY : soft - SERVER_OWN)
        .risk(raised == null)
        .row();
  }

  private static Limit hard(HostFacts host, KnownLimit which, long needed) {
    Limit limit = Limit.of(host, which).present(host.nofileHard());
    Long nrOpen = host.number("fs.nr_open");
    // setrlimit refuses more than fs.nr_open even to root.
    boolean below = nrOpen == null || needed <= nrOpen || host.writable().contains("fs.nr_open");
    return host.raisesHardLimits()
        ? limit.lift(
            "ulimit -n " + needed,
            below,
            "hard nofile " + count(host.nofileHard()) + " cannot be raised beyond fs.nr_open " + count(nrOpen))
        : limit.lift(
            outside(needed),
            false,
            "hard nofile " + count(host.nofileHard()) + " cannot be raised without CAP_SYS_RESOURCE"
                + (host.capSysResource() ? " in the host's user namespace" : ""));
  }

  /** It is lifted before the shell is there: for logins, or by who starts the container. */
  private static String outside(long needed) {
    String login =
        needed <= DROP_IN_NOFILE
            ? "sudo " + DROP_IN
            : "echo \"$(id -un) - nofile %d\" | sudo tee /etc/security/limits.d/91-echo-ladder.conf".formatted(needed);
    return "%s%s; a container is started with --ulimit nofile=%d:%d".formatted(login, AT_LOGIN, needed, needed);
  }
}
