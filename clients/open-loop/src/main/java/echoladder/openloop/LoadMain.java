package echoladder.openloop;

import picocli.CommandLine;

/** Main class of a client process. */
public final class LoadMain {
  /** Line on stdin that ends {@link echoladder.client.Phase#HOLD}. */
  static final String RELEASE = "release";

  private LoadMain() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new LoadCommand()).execute(args));
  }
}
