package echoladder.harness.cli.run;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A run as the command line names it: its folder, or its id, for one below results/ of the checkout. */
public final class RunArgument {
  private RunArgument() {}

  /**
   * The folder.
   *
   * @throws Refusal (bad usage) where there is no such folder, or something lies in it that no run writes
   */
  public static RunFolder folder(Path named) {
    if (Files.isDirectory(named)) {
      return RunFolder.open(named);
    }
    if (named.getNameCount() == 1 && !named.isAbsolute()) {
      List<Path> found = byId(Checkout.find().results(), named);
      if (found.size() == 1) {
        return RunFolder.open(found.getFirst());
      }
    }
    throw Refusal.badUsage(
        named + ": there is no such run; give its folder, results/STUDY/RUN-ID, or the RUN-ID of one below results/");
  }

  private static List<Path> byId(Path results, Path id) {
    if (!Files.isDirectory(results)) {
      return List.of();
    }
    try (Stream<Path> studies = Files.list(results)) {
      return studies.map(study -> study.resolve(id)).filter(Files::isDirectory).toList();
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot list " + results + ": " + ErrorText.of(e));
    }
  }
}
