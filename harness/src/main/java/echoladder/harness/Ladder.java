package echoladder.harness;

import echoladder.harness.cli.BadUsage;
import echoladder.harness.cli.CompareVerb;
import echoladder.harness.cli.CompletionVerb;
import echoladder.harness.cli.DoctorVerb;
import echoladder.harness.cli.EnvironmentVerb;
import echoladder.harness.cli.ExplainVerb;
import echoladder.harness.cli.HostVerb;
import echoladder.harness.cli.IndexVerb;
import echoladder.harness.cli.ManVerb;
import echoladder.harness.cli.PoolVerb;
import echoladder.harness.cli.ReportVerb;
import echoladder.harness.cli.ServeVerb;
import echoladder.harness.cli.SiteVerb;
import echoladder.harness.cli.SizeVerb;
import echoladder.harness.cli.SoakVerb;
import echoladder.harness.cli.VersionLines;
import echoladder.harness.cli.run.LabVerb;
import echoladder.harness.cli.run.PlanVerb;
import echoladder.harness.cli.run.RunVerb;
import echoladder.harness.cli.tune.TuneVerb;
import echoladder.harness.common.Refusal;
import echoladder.linux.output.StandardOutput;
import echoladder.linux.output.TerminalStream;
import echoladder.openloop.command.LoadVerb;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** The command line: one verb per file in cli. */
@Command(
    name = "ladder",
    mixinStandardHelpOptions = true,
    versionProvider = VersionLines.class,
    sortOptions = false,
    synopsisSubcommandLabel = "VERB",
    description = "How many long-lived connections a server model carries, at what tail, at what cost, and what stops it.",
    subcommands = {
      RunVerb.class, PlanVerb.class, DoctorVerb.class, ExplainVerb.class, TuneVerb.class, LabVerb.class,
      ServeVerb.class, LoadVerb.class, ReportVerb.class, CompareVerb.class, PoolVerb.class, SizeVerb.class,
      IndexVerb.class, SiteVerb.class, EnvironmentVerb.class, SoakVerb.class, CompletionVerb.class, ManVerb.class, HostVerb.class
    },
    footer = {
      "",
      "Example: climb the study 'quick', which ends within seven minutes",
      "  ladder run",
      "",
      "Exit status: 0 done, and nothing is invalid; 1 done, but something is; 2 bad usage or study; 3 could not run."
    })
public final class Ladder implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs a verb and exits with its status. */
  public static void main(String[] args) {
    StandardOutput out = StandardOutput.install();
    // Help is all of our own making, and has more colours than the rest.
    PrintWriter help = new PrintWriter(System.out, true, System.out.charset());
    TerminalStream.install();
    int status = execute(help, args);
    System.out.flush();
    String complaint = out.complaint();
    if (complaint != null) {
      System.err.printf(
          "ladder: what this printed on stdout is incomplete: it could not be written to %s. Make room there, or have stdout written"
              + " elsewhere; then do it again%n",
          complaint);
    }
    System.exit(complaint == null ? status : Math.max(status, Refusal.CANNOT_RUN));
  }

  private static int execute(PrintWriter help, String... args) {
    CommandLine line;
    try {
      line = commandLine();
    } catch (Refusal e) {
      // The class path itself is wrong: verbs have options that follow from it.
      System.err.println("ladder: " + e.getMessage());
      return e.status();
    }
    return line.setOut(help).execute(args);
  }

  /** Runs a verb and gives its exit status. */
  public static int execute(String... args) {
    return commandLine().execute(args);
  }

  private static CommandLine commandLine() {
    // Figures are written alike wherever they are measured.
    Locale.setDefault(Locale.ROOT);
    // The schema validator logs by SLF4J, which else complains on stderr that nobody listens.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    CommandLine line = new CommandLine(new Ladder());
    Objects.requireNonNull(line.getSubcommands().get("serve")).setStopAtPositional(true);
    Objects.requireNonNull(line.getSubcommands().get("lab")).setStopAtPositional(true);
    TuneVerb.hideWhatMinimalRefuses(Objects.requireNonNull(line.getSubcommands().get("tune")));
    return line.setParameterExceptionHandler(Ladder::badUsage)
        .setExecutionExceptionHandler(Ladder::failed);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        """
        a verb is missing: %s
          ./ladder run                          climbs five servers to 10,000 connections and says where the report is
          ./ladder size --connections 100000    says what 100,000 connections take, by the published runs
          ./ladder doctor --connections 100000  says what this host lacks for them\
        """
            .formatted(String.join(", ", BadUsage.verbs(spec))));
  }

  private static int badUsage(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    BadUsage.lines(e).forEach(text -> err.println("ladder: " + text));
    err.flush();
    return Refusal.BAD_USAGE;
  }

  private static int failed(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
    PrintWriter err = line.getErr();
    try {
      if (e instanceof Refusal refusal) {
        String.valueOf(refusal.getMessage()).lines().forEach(text -> err.println("ladder: " + text));
        return refusal.status();
      }
      // Everything a user can cause is a Refusal: this is a defect or a broken host, and the trace is its report.
      err.println("ladder: failed unexpectedly: " + e);
      if (System.getenv("ECHOLADDER_DEBUG") == null) {
        err.println("ladder: set ECHOLADDER_DEBUG=1 to see where");
      } else {
        e.printStackTrace(err);
      }
      return Refusal.CANNOT_RUN;
    } finally {
      err.flush();
    }
  }
}
