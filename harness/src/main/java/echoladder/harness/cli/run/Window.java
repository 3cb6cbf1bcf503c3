package echoladder.harness.cli.run;

import echoladder.harness.report.text.Screen;
import echoladder.harness.run.Display;
import echoladder.linux.output.WindowSize;
import java.util.Map;

/** What stdout is: how wide a terminal, or none. */
public final class Window {
  /** Bounds on what COLUMNS may say. */
  private static final int LEAST_COLUMNS = 40;

  private static final int MOST_COLUMNS = 1_000;

  private Window() {}

  public static Screen onStdout() {
    boolean terminal = Display.isTerminal(1);
    return of(System.getenv(), terminal, terminal ? WindowSize.columns(1) : 0);
  }

  /** By POSIX, COLUMNS is what the user prefers to the terminal's own width; {@code columns} is that, 0 = not known. */
  static Screen of(Map<String, String> variables, boolean terminal, int columns) {
    String preferred = variables.getOrDefault("COLUMNS", "");
    int asked = preferred.matches("\\d{1,6}") ? Integer.parseInt(preferred) : 0;
    int wide = asked > 0 ? asked : columns > 0 ? columns : Screen.USUAL_COLUMNS;
    return new Screen(Math.clamp(wide, LEAST_COLUMNS, MOST_COLUMNS), terminal, Colours.wanted(variables, terminal));
  }
}
