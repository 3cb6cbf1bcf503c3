package echoladder.harness.minimal;

import java.util.List;

/**
 * Something that lifts a limit of this host: from what it is to what it would be.
 *
 * @param kind what sort of setting it is
 * @param name of a kernel setting its key, else the kind's own
 * @param from the value without it
 * @param to the value with it
 * @param why comments in the form of a profile's: what it lifts, and the arithmetic of the value
 */
public record Lift(Kind kind, String name, String from, String to, List<String> why) {
  /** The sorts of settings. */
  public enum Kind {
    SYSCTL(""),
    /** RLIMIT_NOFILE of the server's process, soft and hard. */
    SERVER_NOFILE("nofile"),
    /** RLIMIT_NOFILE of each client process, soft and hard. */
    CLIENT_NOFILE("client-nofile"),
    /** The server's --backlog. */
    BACKLOG("backlog");

    /** What it is called where it is no kernel setting. */
    public final String id;

    Kind(String id) {
      this.id = id;
    }
  }

  public Lift {
    why = List.copyOf(why);
  }

  /** Lifts a kernel setting. */
  static Lift sysctl(String key, String from, String to, List<String> why) {
    return new Lift(Kind.SYSCTL, key, from, to, why);
  }

  /** Lifts what is no kernel setting. */
  static Lift other(Kind kind, long from, long to, List<String> why) {
    return new Lift(kind, kind.id, Long.toString(from), Long.toString(to), why);
  }

  /** The value where it is among what is set, or not. */
  public String value(boolean set) {
    return set ? to : from;
  }

  /** For sentences. */
  public String words() {
    return name + " " + from + " -> " + to;
  }
}
