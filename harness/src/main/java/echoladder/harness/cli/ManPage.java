package echoladder.harness.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What {@code --help} says of a command, as a manual page: man(7), section 1. Pure. */
final class ManPage {
  private static final String STATUS = "Exit status: ";

  private final StringBuilder page = new StringBuilder();
  private final CommandSpec command;

  private ManPage(CommandSpec command) {
    this.command = command;
  }

  /** The command and all below it that help shows, each once. */
  static List<CommandSpec> commands(CommandSpec root) {
    Set<CommandSpec> all = new LinkedHashSet<>();
    collect(root, all);
    return List.copyOf(all);
  }

  private static void collect(CommandSpec command, Collection<CommandSpec> all) {
    all.add(command);
    command.subcommands().values().stream()
        .map(line -> line.getCommandSpec())
        .filter(below -> !below.usageMessage().hidden())
        .forEach(below -> collect(below, all));
  }

  /** E.g. {@code ladder-tune-show}, as git has them. */
  static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /**
   * The text.
   *
   * @param version of the ladder, for the foot of the page
   */
  static String of(CommandSpec command, String version) {
    return new ManPage(command).whole(version);
  }

  private String whole(String version) {
    String name = name(command);
    String description = joined(command.usageMessage().description());
    line(".TH \"%s\" 1 \"\" \"Echo Ladder %s\" \"Echo Ladder\"".formatted(escaped(name.toUpperCase(Locale.ROOT)), escaped(version)));
    // Words that are broken or stretched are no longer what is to be typed.
    line(".nh");
    line(".ad l");
    line(".SH NAME");
    line(escaped(name) + " \\- " + escaped(description));
    line(".SH SYNOPSIS");
    words(new Help(command, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0).replaceAll("\\s+", " ").strip());
    arguments();
    options();
    verbs();
    footer();
    related();
    return page.toString();
  }

  private void arguments() {
    List<PositionalParamSpec> shown = command.positionalParameters().stream().filter(argument -> !argument.hidden()).toList();
    if (!shown.isEmpty()) {
      line(".SH ARGUMENTS");
      shown.forEach(argument -> described("\\fI" + escaped(argument.paramLabel()) + "\\fR", argument));
    }
  }

  private void options() {
    line(".SH OPTIONS");
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        String value = option.arity().max() == 0 ? ""
            : escaped(command.parser().separator()) + "\\fI" + escaped(option.paramLabel()) + "\\fR";
        described(
            Arrays.stream(option.names()).map(name -> "\\fB" + escaped(name) + "\\fR").collect(Collectors.joining(", ")) + value, option);
      }
    }
  }

  private void described(String head, ArgSpec argument) {
    line(".TP");
    line(head);
    words(joined(argument.description()));
  }

  private void verbs() {
    List<CommandSpec> below = commands(command).stream().filter(of -> command.equals(of.parent())).toList();
    if (!below.isEmpty()) {
      line(".SH VERBS");
      for (CommandSpec verb : below) {
        line(".TP");
        line("\\fB" + escaped(verb.name()) + "\\fR");
        words(joined(verb.usageMessage().description()));
      }
    }
  }

  /** Its lines stay as they are, as there are commands among them; the exit status gets the section that it has in other pages. */
  private void footer() {
    List<String> lines = new ArrayList<>(Arrays.stream(command.usageMessage().footer()).map(ManPage::plain).toList());
    List<String> status = lines.stream().filter(text -> text.startsWith(STATUS)).toList();
    lines.removeAll(status);
    while (!lines.isEmpty() && lines.getFirst().isBlank()) {
      lines.removeFirst();
    }
    while (!lines.isEmpty() && lines.getLast().isBlank()) {
      lines.removeLast();
    }
    if (!lines.isEmpty()) {
      line(".SH EXAMPLES");
      line(".nf");
      lines.forEach(text -> line(text.isBlank() ? ".sp" : escaped(text)));
      line(".fi");
    }
    if (!status.isEmpty()) {
      line(".SH EXIT STATUS");
      status.forEach(text -> words(text.substring(STATUS.length())));
    }
  }

  private void related() {
    Set<String> names = new LinkedHashSet<>();
    if (command.parent() != null) {
      names.add(name(command.parent()));
    }
    commands(command).stream().skip(1).forEach(below -> names.add(name(below)));
    if (!names.isEmpty()) {
      line(".SH SEE ALSO");
      line(names.stream().map(name -> "\\fB" + escaped(name) + "\\fR(1)").collect(Collectors.joining(", ")));
    }
  }

  private void words(String words) {
    line(escaped(words));
  }

  private void line(String roff) {
    page.append(roff).append('\n');
  }

  private static String joined(String... lines) {
    return Arrays.stream(lines).map(ManPage::plain).collect(Collectors.joining(" ")).replaceAll("\\s+", " ").strip();
  }

  /** What picocli's formats mean in a text. */
  private static String plain(String format) {
    return format.replace("%n", " ").replace("%%", "%");
  }

  /** So that nothing in it is a request, and a hyphen is the one that is typed. */
  private static String escaped(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("\"", "\\(dq").replace("^", "\\(ha")
        .replace("~", "\\(ti");
    return safe.startsWith(".") ? "\\&" + safe : safe;
  }
}
