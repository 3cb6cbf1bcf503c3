package echoladder.harness.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import picocli.CommandLine;

/** What is said of a command line that cannot be understood: what is wrong with it first, and what it may have meant. */
public final class BadUsage {
  private static final Pattern INVALID =
      Pattern.compile("Invalid value for (?:option|positional parameter at index \\d+) ?'?([^':]*)'?[^:]*: (.*)", Pattern.DOTALL);
  private static final Pattern TYPE = Pattern.compile("'(.*)' is not an? (?:byte|short|int|long)", Pattern.DOTALL);
  private static final Pattern FRACTION = Pattern.compile("'(.*)' is not a (?:float|double|BigDecimal)", Pattern.DOTALL);
  private static final Pattern CONVERSION = Pattern.compile("cannot convert '(.*)' to (\\w+) \\(.*", Pattern.DOTALL);

  private static final Pattern TOO_FEW =
      Pattern.compile(
          "positional parameter at index \\S+ \\((.*)\\) requires at least (\\d+) values, but (?:only )?(none|\\d+) were specified.*",
          Pattern.DOTALL);

  private BadUsage() {}

  /** A line each, without {@code ladder: }. */
  public static List<String> lines(ParameterException e) {
    CommandLine line = e.getCommandLine();
    ParameterException cause = misspelt(e, line);
    List<String> lines = new ArrayList<>(said(String.valueOf(cause.getMessage())).lines().toList());
    if (cause instanceof UnmatchedArgumentException unknown) {
      if (!unknown.getSuggestions().isEmpty()) {
        lines.add("did you mean " + String.join(" or ", unknown.getSuggestions()) + "?");
      } else if (line.getParent() == null && !unknown.isUnknownOption()) {
        lines.add("there is no such verb; the verbs are " + String.join(", ", verbs(line.getCommandSpec())));
      }
    }
    lines.add("see ./" + line.getCommandSpec().qualifiedName() + " --help");
    return lines;
  }

  /** An option that nobody knows may be the one that is missed, and what follows it is its value. */
  private static ParameterException misspelt(ParameterException e, CommandLine line) {
    List<String> options = line.getUnmatchedArguments().stream().filter(argument -> argument.matches("--?[A-Za-z].*")).toList();
    return (e instanceof MissingParameterException || e instanceof UnmatchedArgumentException) && !options.isEmpty()
        ? new UnmatchedArgumentException(line, options.subList(0, 1))
        : e;
  }

  /** In words of the user and not of the types that values have in here. */
  private static String said(String message) {
    Matcher few = TOO_FEW.matcher(message);
    if (few.matches()) {
      String given = few.group(3).equals("1") ? "1 is" : few.group(3) + " are";
      return "%s: at least %s of them are needed, and %s given".formatted(few.group(1), few.group(2), given);
    }
    Matcher invalid = INVALID.matcher(message);
    if (!invalid.matches()) {
      return message;
    }
    String why = invalid.group(2);
    for (Map.Entry<Pattern, String> form : Map.of(TYPE, "'%s' is no whole number", FRACTION, "'%s' is no number").entrySet()) {
      Matcher matcher = form.getKey().matcher(why);
      if (matcher.matches()) {
        why = form.getValue().formatted(matcher.group(1));
      }
    }
    Matcher conversion = CONVERSION.matcher(why);
    if (conversion.matches()) {
      why = "'%s' is no %s".formatted(conversion.group(1), conversion.group(2).equals("URI") ? "URL" : "path of a file");
    }
    return (invalid.group(1).isBlank() ? "" : invalid.group(1) + ": ") + why;
  }

  /** The verbs that a user types. */
  public static List<String> verbs(CommandSpec ladder) {
    return ladder.subcommands().entrySet().stream()
        .filter(verb -> !verb.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .toList();
  }
}
