package echoladder.harness.cli.tune;

import echoladder.harness.cli.run.UntilSignal;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.minimal.Lift;
import echoladder.harness.minimal.MinimalProfile;
import echoladder.harness.minimal.MinimalSet;
import echoladder.harness.minimal.TryLog;
import echoladder.harness.minimal.TryQuestion;
import echoladder.harness.run.StopSignal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A search for the settings that are needed, with all that a user sees of it.
 *
 * @param folder of the tries
 * @param log of the tries there
 * @param out where the profile is written besides; null = nowhere
 * @param command that the user gave
 * @param where the tries are made, for the profile
 */
record MinimalSearch(
    Checkout checkout, TryQuestion question, Path folder, TryLog log, @Nullable Path out, String command, String where) {
  /** Searches and tells; gives the exit status. */
  int search() {
    StopSignal stop = new StopSignal();
    try (UntilSignal _ = UntilSignal.stopping(stop, "stopping; the tries that were made are kept, and the same command goes on", 90)) {
      MinimalClimbs climbs = new MinimalClimbs(checkout, question, folder, log, stop);
      MinimalSet<Lift> search =
          new MinimalSet<>(
              climbs,
              left ->
                  System.err.printf(
                      "ladder: %d of %d left: %s%n",
                      left.size(), question.lifts().size(), left.stream().map(Lift::name).collect(Collectors.joining(", "))));
      try {
        MinimalSet.Found<Lift> found = search.of(question.lifts());
        return tell(found);
      } catch (MinimalClimbs.Stopped e) {
        System.err.printf("ladder: stopped after %d tries, which are kept; the same command goes on%n", log.all().size());
        return 1;
      }
    }
  }

  private int tell(MinimalSet.Found<Lift> found) {
    int connections = question.connections();
    switch (found.outcome()) {
      case NOT_HELD, UNDECIDED -> {
        List<String> all = question.lifts().stream().map(Lift::name).toList();
        String words = log.of(all).isEmpty() ? "was not tried" : log.of(all).getLast().words(connections);
        System.err.printf(
            "ladder: even with all %d settings %,d connections were not shown to be held: %s; look at %s%n",
            all.size(), connections, words, checkout.display(folder));
        return 1;
      }
      case NOTHING_NEEDED ->
          System.err.printf("ladder: %,d connections are held without any of the %d settings%n", connections, question.lifts().size());
      case MINIMAL ->
          System.err.printf(
              "ladder: %d of %d settings are needed; without any one of them the climb ends%s%n",
              found.needed().size(), question.lifts().size(),
              found.unknown().isEmpty()
                  ? ""
                  : ", as far as is known: undecided without "
                      + found.unknown().stream().map(Lift::name).collect(Collectors.joining(", ")));
    }
    String text = new MinimalProfile(question, found, log.all(), command, where).text();
    write(folder.resolve("minimal.conf"), text);
    if (out != null) {
      write(out, text);
    }
    System.out.print(text);
    System.out.flush();
    return found.unknown().isEmpty() ? 0 : 1;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw Refusal.cannotRun("the profile cannot be written to " + file + ": " + ErrorText.of(e));
    }
  }
}
