package echoladder.openloop;

import echoladder.linux.output.TerminalStream;
import echoladder.openloop.command.LoadCommand;
import picocli.CommandLine;

/** Main class of a client process. */
public final class LoadMain {
  /** Line on stdin that ends {@link echoladder.client.Phase#HOLD}. */
  static final String RELEASE = "release";

  private LoadMain() {}

  public static void main(String[] args) {
    // Names and messages of servers are in what it says; its stdout has figures, or JSON.
    System.setErr(TerminalStream.before(System.err));
    System.exit(new CommandLine(new LoadCommand()).execute(args));
  }
}
