package echoladder.linux;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process with an owned folder, which says its path and waits for the end of its stdin. */
final class OwnedFolderProcess {
  private OwnedFolderProcess() {}

  /** Arguments: the parent, and a file elsewhere that goes with the folder. */
  public static void main(String[] args) throws IOException {
    try (OwnedFolder folder = OwnedFolder.in(Path.of(args[0]), "test")) {
      Files.writeString(folder.dir().resolve("server.log"), "ready");
      folder.with(Path.of(args[1]));
      Files.writeString(Path.of(args[1]), "symbols");
      System.out.println(folder.dir());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
