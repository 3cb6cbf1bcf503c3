package echoladder.harness.run;

import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Certificate and key of a server that is about to start, as files until it is ready; nothing for a plain server. */
final class TlsFiles implements AutoCloseable {
  private final @Nullable OwnedFolder folder;
  private final List<String> options;

  private TlsFiles(@Nullable OwnedFolder folder, List<String> options) {
    this.folder = folder;
    this.options = options;
  }

  /**
   * Writes those of a server.
   *
   * @throws IOException where there is no certificate, or it cannot be written
   */
  static TlsFiles of(ServerUnderTest contender) throws IOException {
    if (!contender.tls()) {
      return new TlsFiles(null, List.of());
    }
    OwnedFolder folder = OwnedFolder.temporary("tls");
    try {
      return new TlsFiles(folder, RunCertificate.get().writtenTo(folder.dir()));
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  /** The command with the options that name them. */
  List<String> added(List<String> argv) {
    List<String> all = new ArrayList<>(argv);
    all.addAll(options);
    return all;
  }

  @Override
  public void close() {
    if (folder != null) {
      folder.close();
    }
  }
}
