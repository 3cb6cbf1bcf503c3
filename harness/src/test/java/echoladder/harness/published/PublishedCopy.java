package echoladder.harness.published;

import echoladder.harness.results.Instrument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A copy of a published run that is of today's instrument: all else of it is as today's would be. */
public final class PublishedCopy {
  private PublishedCopy() {}

  /**
   * The folder of the copy.
   *
   * @param into where it gets the name of the run
   */
  public static Path of(Path run, Path into) throws IOException {
    Path copy = Files.createDirectory(into.resolve(run.getFileName()));
    try (Stream<Path> files = Files.list(run)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    Path record = copy.resolve("run.json");
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(record));
    Files.writeString(record, json.put("instrument_version", Instrument.VERSION).toString());
    return copy;
  }
}
