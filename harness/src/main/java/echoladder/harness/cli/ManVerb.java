package echoladder.harness.cli;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.Version;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ladder man}: the manual pages. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write the manual pages, one of ladder and one of each verb, with what --help says. A release has them in share/man.",
    footer = {
      "",
      "Example: for this user",
      "  ladder man ~/.local/share/man/man1",
      "  man ladder-run",
      "",
      "Exit status: 0 written, 2 bad usage, 3 the folder takes no files."
    })
public final class ManVerb implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "DIR", description = "The folder for the pages, of section 1; it is made where there is none.")
  private Path dir = Path.of("");

  @Override
  public Integer call() {
    List<CommandSpec> commands = ManPage.commands(spec.root());
    try {
      Files.createDirectories(dir);
      for (CommandSpec command : commands) {
        Files.writeString(dir.resolve(ManPage.name(command) + ".1"), ManPage.of(command, Version.text()));
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write the pages into " + dir + ": " + ErrorText.of(e) + "; give another folder");
    }
    System.out.println(commands.size() + " pages: " + dir);
    System.out.flush();
    return 0;
  }
}
