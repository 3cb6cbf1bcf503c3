package echoladder.openloop.result;

import static java.util.stream.Collectors.joining;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Errors of system calls that are the client's own by their errno: they came before the server had a part in it. What the kernel
 * lacks for all processes of the host (ENFILE, ENOBUFS, ENOMEM, ENOSPC) is not among them, as the server takes of it too; nor is
 * what a server answers (ECONNREFUSED, ECONNRESET) or leaves unanswered (ETIMEDOUT). Pure.
 */
public final class OwnErrors {
  /** A call of the load, of a replacement of churn, or of a storm, and its errno. */
  private static final Pattern CAUSE = Pattern.compile("(?<of>reconnect: |storm: )?(?<call>[a-z_]+) (?<errno>E[A-Z]+)");

  private static final String NO_PORT = "connect EADDRNOTAVAIL";

  private OwnErrors() {}

  /**
   * What such errors say against a load; empty = there are none.
   *
   * @param errors by cause, as {@link Failures} counts them
   * @param storm whether those of a storm count: it tries again, so they are no loss where all connections came back
   */
  public static List<Reason> doubts(Map<String, Long> errors, boolean storm) {
    long noPort = 0;
    Map<String, Long> own = new TreeMap<>();
    for (Map.Entry<String, Long> error : errors.entrySet()) {
      Matcher cause = CAUSE.matcher(error.getKey());
      if (!cause.matches() || ("storm: ".equals(cause.group("of")) && !storm)) {
        continue;
      }
      String call = cause.group("call") + " " + cause.group("errno");
      if (call.equals(NO_PORT)) {
        noPort += error.getValue();
      } else if (hint(call) != null) {
        own.merge(call, error.getValue(), Long::sum);
      }
    }
    List<Reason> doubts = new ArrayList<>();
    if (noPort > 0) {
      doubts.add(new Reason(ReasonCode.EPHEMERAL_PORTS_EXHAUSTED, "%,d connects found no port (connect EADDRNOTAVAIL)".formatted(noPort)));
    }
    if (!own.isEmpty()) {
      doubts.add(
          new Reason(
              ReasonCode.CLIENT_CALL_FAILED,
              own.entrySet().stream()
                  .map(error -> "%,d x %s (%s)".formatted(error.getValue(), error.getKey(), hint(error.getKey())))
                  .collect(joining(", "))));
    }
    return doubts;
  }

  /**
   * What an error says of the client's side; null where it is not the client's own.
   *
   * @param call and its errno, e.g. {@code bind EADDRNOTAVAIL}
   */
  public static @Nullable String hint(String call) {
    return switch (call) {
      case "bind EADDRNOTAVAIL" -> "the source address is no address of this host";
      case NO_PORT -> "no port is left for this source and target";
      case "socket EMFILE", "epoll_ctl EMFILE" -> "the client's descriptor limit, ulimit -n";
      case "connect ENETUNREACH", "write ENETUNREACH", "read ENETUNREACH" -> "this host has no route there";
      case "connect ENETDOWN", "write ENETDOWN", "read ENETDOWN" -> "the interface that leads there is down";
      case "connect EHOSTUNREACH", "write EHOSTUNREACH", "read EHOSTUNREACH" -> "no host answers there on the way that this host takes";
      case "connect EACCES", "connect EPERM", "bind EACCES", "socket EACCES", "socket EPERM" ->
          "this host forbids it: a firewall, a control group or a missing right";
      case "connect EINVAL", "bind EINVAL" -> "the source address does not lead there";
      default -> call.startsWith("setsockopt ") ? "an option that the client needs" : null;
    };
  }
}
