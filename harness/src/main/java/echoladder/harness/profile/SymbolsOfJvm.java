package echoladder.harness.profile;

import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a JVM write the names of what it has compiled where perf looks for them, {@code /tmp/perf-PID.map}. Without that its frames
 * have no names. Any thread may call.
 */
public final class SymbolsOfJvm implements AutoCloseable {
  /** Walks frames by a register that HotSpot uses for something else unless told so. */
  public static final String FRAME_POINTERS = "-XX:+PreserveFramePointer";

  private static final Duration BOUND = Duration.ofSeconds(30);

  private final Path jcmd;
  private volatile @Nullable OwnedFolder written;

  /** By that program, which need not be there. */
  public SymbolsOfJvm(Path jcmd) {
    this.jcmd = jcmd;
  }

  /** Has it written; where that fails, its frames have no names, which the stacks show. */
  void write(long pid) {
    close();
    try {
      OwnedFolder folder = OwnedFolder.temporary("symbols");
      written = folder;
      folder.with(Path.of("/tmp/perf-" + pid + ".map"));
      var _ = Perf.run(List.of(jcmd.toString(), String.valueOf(pid), "Compiler.perfmap"), BOUND);
    } catch (IOException e) {
      // A runtime without jcmd: as above.
    }
  }

  /** Removes what was written. */
  @Override
  public void close() {
    OwnedFolder folder = written;
    if (folder != null) {
      folder.close();
    }
  }
}
