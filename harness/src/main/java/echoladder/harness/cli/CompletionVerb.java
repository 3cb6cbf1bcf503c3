package echoladder.harness.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ladder completion}: the script by which a shell completes verbs and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Print a script by which bash, and zsh after 'autoload -U bashcompinit; bashcompinit', complete the verbs and options of"
        + " ladder.",
    footer = {
      "",
      "Example: in this shell",
      "  source <(./ladder completion)",
      "",
      "Example: in all shells to come",
      "  ladder completion > ~/.local/share/bash-completion/completions/ladder",
      "",
      "Exit status: 0 printed, 2 bad usage."
    })
public final class CompletionVerb implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    System.out.print(AutoComplete.bash("ladder", spec.root().commandLine()));
    System.out.flush();
    return 0;
  }
}
