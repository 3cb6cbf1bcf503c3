package echoladder.external;

import echoladder.client.LoadClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A load client that drives a program of others, one load at a time. This part knows the program's name, where it is looked for, where
 * its output is kept, and what ends the load that is under way. Any thread may call {@link #stop}.
 */
public abstract class ToolClient implements LoadClient {
  private final String name;
  private volatile @Nullable Runnable end;

  /** Where programs are looked for. */
  protected final SearchPath path;

  /** Where the program is said to be; null = it is looked for. */
  protected final @Nullable Path program;

  /** The file that the program's command and all it printed are appended to. */
  protected final Path log;

  protected ToolClient(String name, SearchPath path, @Nullable Path program, Path log) {
    this.name = name;
    this.path = path;
    this.program = program;
    this.log = log;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final void stop() {
    Runnable now = end;
    if (now != null) {
      now.run();
    }
  }

  /** From here on {@link #stop} does this. Said before the tool is started, no stop is missed; null = no load is under way. */
  protected final void endBy(@Nullable Runnable how) {
    end = how;
  }
}
