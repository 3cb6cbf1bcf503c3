package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Ladder;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The manual pages: one of each verb, with what its help has, and nothing that roff would take for something else. */
class ManPageTest {
  @TempDir private Path dir;

  @Command(
      name = "odd",
      description = {"Says 50 %% of 'it'.", "Path C:\\temp."},
      footer = {"", "Example:", "  odd --in=x", "", ".not a request", "Exit status: 0 done."})
  private static final class Odd {
    @Option(names = {"-i", "--in"}, paramLabel = "FILE", description = "From there. Default: ${DEFAULT-VALUE}.", defaultValue = "a-b")
    private String in = "";

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    @Option(names = "--secret", hidden = true, description = "Not for users.")
    private boolean secret;

    @Override
    public String toString() {
      return in + all + secret;
    }
  }

  @Test
  void hasWhatTheHelpHas() {
    String page = ManPage.of(CommandSpec.forAnnotatedObject(new Odd()), "1.2");
    assertThat(page)
        .startsWith(".TH \"ODD\" 1 \"\" \"Echo Ladder 1.2\" \"Echo Ladder\"\n")
        .contains("odd \\- Says 50 % of \\(aqit\\(aq. Path C:\\etemp.\n")
        .contains(".SH SYNOPSIS\nodd [", "[\\-i=FILE]")
        .contains(".TP\n\\fB\\-i\\fR, \\fB\\-\\-in\\fR=\\fIFILE\\fR\nFrom there. Default: a\\-b.\n", ".TP\n\\fB\\-\\-all\\fR\nAll of them.\n")
        .contains(".SH EXAMPLES\n.nf\nExample:\n  odd \\-\\-in=x\n.sp\n\\&.not a request\n.fi\n.SH EXIT STATUS\n0 done.\n")
        .doesNotContain("secret", ".SH VERBS", ".SH SEE ALSO");
  }

  @Test
  @Needs(Need.GROFF)
  void everyVerbHasAPageThatRoffReadsWithoutAWarning() throws Exception {
    assertThat(Ladder.execute("man", dir.toString())).isZero();
    List<Path> pages;
    try (Stream<Path> files = Files.list(dir)) {
      pages = files.sorted().toList();
    }
    assertThat(pages)
        .extracting(page -> page.getFileName().toString())
        .contains("ladder.1", "ladder-run.1", "ladder-doctor.1", "ladder-tune-minimal.1", "ladder-load.1")
        .doesNotContain("ladder-host.1");
    List<String> command = new ArrayList<>(List.of("groff", "-Kutf8", "-Tutf8", "-man", "-ww"));
    pages.forEach(page -> command.add(page.toString()));
    Path said = dir.resolve("said");
    Process groff = new ProcessBuilder(command).redirectError(said.toFile()).start();
    String text = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replaceAll(".\b|\033\\[[0-9;]*m", "");
    assertThat(groff.waitFor()).isZero();
    assertThat(said).content().isEmpty();
    assertThat(text).contains("ladder-run - Climb the ladder of a study and write a report.", "--watch=PORT", "SEE ALSO");
  }
}
