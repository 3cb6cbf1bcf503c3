package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.explain.Explainer;
import echoladder.harness.explain.Explanation;
import echoladder.harness.explain.ExplanationText;
import echoladder.harness.explain.HostNumbers;
import echoladder.harness.explain.Topic;
import echoladder.harness.explain.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code ladder explain}: from an error text or a number to the limit behind it. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Say what an error text means, or which limits stop at a number, with the command that shows the limit and the one that "
        + "lifts it. Numbers, addresses, paths and process ids in the text do not matter. Needs no network.",
    footer = {
      "",
      "Example: a line of a log",
      "  ladder explain 'dial tcp 10.0.0.7:443: connect: cannot assign requested address'",
      "",
      "Example: a number",
      "  ladder explain it stops at 28,232",
      "",
      "Example: the kernel's log",
      "  dmesg | tail -n 50 | ladder explain -",
      "",
      "Exit status: 0 something fits; 1 nothing does, and the nearest are listed; 2 bad usage."
    })
public final class ExplainVerb implements Callable<Integer> {
  private static final int MOST_BYTES = 1 << 20;

  @Parameters(
      paramLabel = "TEXT",
      arity = "1..*",
      description = "What was seen: an error text, or a number with or without words. - reads stdin, up to 1 MiB.")
  private List<String> text = List.of();

  @Option(
      names = "--json",
      description = "Print it as one JSON object: found, and matches with topic, means, text, walls, here, show, lift, page.")
  private boolean json;

  @Override
  public Integer call() {
    return explain(System.in, System.out);
  }

  /** The exit status; {@code in} is read where the text is {@code -}. */
  int explain(InputStream in, PrintStream out) {
    String asked = text.equals(List.of("-")) ? read(in) : String.join(" ", text);
    if (asked.isBlank()) {
      throw Refusal.badUsage("the text is empty; give the line that names the error, e.g. ./ladder explain 'Too many open files'");
    }
    List<Topic> topics = Topics.of(Checkout.find());
    Explanation found = new Explainer(topics, HostNumbers.ofThisHost(topics)).explain(asked);
    if (json) {
      out.println(JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(found));
    } else {
      ExplanationText.lines(found).forEach(out::println);
    }
    out.flush();
    return found.found() ? 0 : 1;
  }

  private static String read(InputStream in) {
    try {
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot read stdin: " + e.getMessage() + "; give the text as an argument");
    }
  }
}
