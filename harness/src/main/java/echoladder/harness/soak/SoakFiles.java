package echoladder.harness.soak;

import echoladder.client.Holes;
import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.linux.ErrorText;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What is written of a soak, and how it is read again. */
public final class SoakFiles {
  private static final String RECORD = "soak.json";

  private SoakFiles() {}

  /** Writes soak.json, and what is made of it: SOAK.md and a plot for each server. */
  static void write(RunFolder folder, Soak soak) throws IOException {
    folder.replace(RECORD, RunFolder.tree(soak) + "\n");
    for (ServerSoak server : soak.done()) {
      if (!server.drifts().isEmpty()) {
        folder.replace(SoakText.plotFile(server), SoakText.plot(server));
      }
    }
    folder.replace("SOAK.md", SoakText.markdown(soak));
  }

  /**
   * Reads soak.json of a folder.
   *
   * @throws Refusal (bad usage) where there is none, or it is another text
   */
  public static Soak read(RunFolder folder) {
    try {
      Soak soak = RunFolder.part(JsonMapper.shared().readTree(folder.files().text(RECORD, RunFolder.MOST_RECORD_BYTES)), Soak.class);
      String hole = soak == null ? "all of it" : Holes.first(soak);
      if (soak == null || hole != null) {
        throw Refusal.badUsage(folder.file(RECORD) + ": not a soak.json of this ladder: it lacks " + hole);
      }
      Quantity.duration(soak.length());
      return soak;
    } catch (IOException e) {
      throw Refusal.badUsage(
          "%s: cannot be read: %s; give the folder of a soak, results/soak/RUN-ID".formatted(folder.file(RECORD), ErrorText.of(e)));
    } catch (JacksonException e) {
      throw Refusal.badUsage(folder.file(RECORD) + ": not a soak.json of this ladder: " + e.getOriginalMessage());
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(folder.file(RECORD) + ": not a soak.json of this ladder: " + ErrorText.of(e));
    }
  }
}
