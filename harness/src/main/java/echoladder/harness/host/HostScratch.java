package echoladder.harness.host;

import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of a control process for what its server says. It goes with the process. */
final class HostScratch implements AutoCloseable {
  private static final String PROBE = ".probe";

  /** A block of any usual file system. */
  private static final int PROBE_BYTES = 4 << 10;

  private final OwnedFolder folder;

  private HostScratch(OwnedFolder folder) {
    this.folder = folder;
  }

  /**
   * Makes one.
   *
   * @throws IOException where it cannot be made, or there is no room in it
   */
  static HostScratch in(Path parent) throws IOException {
    HostScratch made = new HostScratch(OwnedFolder.in(parent, "host"));
    try {
      made.probe();
    } catch (IOException e) {
      made.close();
      throw e;
    }
    return made;
  }

  /**
   * Writes a block, and removes it.
   *
   * @throws IOException with the folder's name, where there is no room for that
   */
  void probe() throws IOException {
    Path file = dir().resolve(PROBE);
    try {
      Files.write(file, new byte[PROBE_BYTES]);
      Files.delete(file);
    } catch (IOException e) {
      throw new IOException("cannot write to %s: %s".formatted(dir(), e.getMessage()), e);
    }
  }

  /** Its path. */
  Path dir() {
    return folder.dir();
  }

  /** Removes it; a second time does nothing. */
  @Override
  public void close() {
    folder.close();
  }
}
