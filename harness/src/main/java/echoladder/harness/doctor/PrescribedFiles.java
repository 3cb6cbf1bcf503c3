package echoladder.harness.doctor;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes a prescription below a folder. What lies there and sets something else is not replaced without being told to. */
public final class PrescribedFiles {
  private PrescribedFiles() {}

  /**
   * Writes all of them, or none where one sets something else.
   *
   * @param files texts by path
   * @param overwrite whether files that set something else are replaced
   * @return a sentence for each
   * @throws Refusal (cannot run) where one is there with other settings, or cannot be written
   */
  public static List<String> write(Path dir, Map<String, String> files, boolean overwrite) {
    List<String> others = new ArrayList<>();
    Map<Path, String> written = new LinkedHashMap<>();
    List<String> said = new ArrayList<>();
    try {
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = dir.resolve(file.getKey());
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
          written.put(path, file.getValue());
          said.add(path + ": written");
        } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
            && settings(Files.readString(path)).equals(settings(file.getValue()))) {
          said.add(path + ": there already with these settings; left as it is");
        } else if (overwrite) {
          written.put(path, file.getValue());
          said.add(path + ": replaced, as it set something else");
        } else {
          others.add(path.toString());
        }
      }
      if (!others.isEmpty()) {
        throw Refusal.cannotRun(
            "nothing was written: %s there already and %s something else; --overwrite replaces, or give another folder"
                .formatted(String.join(" and ", others) + (others.size() == 1 ? " is" : " are"), others.size() == 1 ? "sets" : "set"));
      }
      for (Map.Entry<Path, String> file : written.entrySet()) {
        Files.createDirectories(Objects.requireNonNull(file.getKey().toAbsolutePath().getParent()));
        // A link that lies there is replaced, not followed.
        Files.deleteIfExists(file.getKey());
        Files.writeString(file.getKey(), file.getValue());
      }
      return said;
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write to %s: %s; what was written before stays".formatted(dir, ErrorText.of(e)));
    }
  }

  /** What a file sets: its lines without comments, with single blanks. */
  private static List<String> settings(String text) {
    return text.lines()
        .map(line -> line.trim().replaceAll("\\s+", " "))
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }
}
