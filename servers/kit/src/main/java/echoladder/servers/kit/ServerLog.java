package echoladder.servers.kit;

import java.io.PrintStream;

/** Messages on stderr, one line each, led by the server's name. Thread-safe. */
public final class ServerLog {
  private final String server;
  private final PrintStream err;

  public ServerLog(String server, PrintStream err) {
    this.server = server;
    this.err = err;
  }

  public void say(String message) {
    err.println(server + ": " + message);
  }

  /** Something that should not happen; it is shown whole. */
  public void failure(String message, Throwable cause) {
    synchronized (err) {
      say(message);
      cause.printStackTrace(err);
    }
  }
}
