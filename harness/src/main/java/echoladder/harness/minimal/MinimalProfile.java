package echoladder.harness.minimal;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was found, as a profile: a file of kernel settings in whose comments stands what happened without each. Limits of
 * processes, which no such file sets, stand there as comments. Pure.
 *
 * @param question what was asked
 * @param found the answer
 * @param tries all that were made
 * @param command that found it
 * @param where it was found: the kernel, and whether in a lab
 */
public record MinimalProfile(
    TryQuestion question, MinimalSet.Found<Lift> found, List<Tried> tries, String command, String where) {
  public MinimalProfile {
    tries = List.copyOf(tries);
  }

  /** The file. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add("# " + head());
    lines.add("# Found by: " + command);
    lines.add("# On: %s; %d sets were tried.".formatted(where, found.sets()));
    List<Lift> needed = found.needed();
    for (Lift lift : needed.stream().filter(lift -> lift.kind() == Lift.Kind.SYSCTL).toList()) {
      lines.add("");
      comments(lift).forEach(comment -> lines.add("# " + comment));
      lines.add(lift.name() + " = " + lift.to());
    }
    for (Lift lift : needed.stream().filter(lift -> lift.kind() != Lift.Kind.SYSCTL).toList()) {
      lines.add("");
      comments(lift).forEach(comment -> lines.add("# " + comment));
      lines.add("# no kernel setting: " + how(lift));
    }
    List<Lift> not = question.lifts().stream().filter(lift -> !needed.contains(lift)).toList();
    if (!not.isEmpty()) {
      lines.add("");
      lines.add("# Not needed: " + not.stream().map(Lift::words).collect(joining(", ")) + ".");
    }
    return String.join("\n", lines) + "\n";
  }

  private String head() {
    if (found.needed().isEmpty()) {
      return "%,d connections to %s need nothing beyond what was there: they were held with none of these settings."
          .formatted(question.connections(), question.server());
    }
    return "What %,d connections to %s need beyond what was there: each setting was taken away, and the climb ended without it%s."
        .formatted(
            question.connections(), question.server(), found.unknown().isEmpty() ? "" : ", but for those that may not be needed");
  }

  private List<String> comments(Lift lift) {
    List<String> comments = new ArrayList<>(lift.why());
    comments.add(1, "before:  " + lift.from());
    comments.add("without: " + without(lift));
    return comments;
  }

  /** What came of the try with all that is needed but that one. */
  private String without(Lift lift) {
    List<String> others = found.needed().stream().filter(other -> !other.equals(lift)).map(Lift::name).toList();
    List<Tried> all = tries.stream().filter(one -> sameSet(one.with(), others)).toList();
    Optional<Tried> decided = all.stream().filter(one -> one.answer() != MinimalSet.Answer.UNDECIDED).reduce((_, later) -> later);
    String words =
        decided.or(() -> all.stream().reduce((_, later) -> later)).map(one -> one.words(question.connections())).orElse("not tried");
    return found.unknown().contains(lift) ? "it may not be needed, " + words : words;
  }

  private static boolean sameSet(List<String> a, List<String> b) {
    return a.size() == b.size() && a.containsAll(b);
  }

  private static String how(Lift lift) {
    return switch (lift.kind()) {
      case SYSCTL -> throw new IllegalArgumentException(lift.name());
      case SERVER_NOFILE -> "ulimit -Hn %s for the server; sysctl/limits/ has drop-ins for logins and units".formatted(lift.to());
      case CLIENT_NOFILE -> "ulimit -Hn %s for each client; sysctl/limits/ has drop-ins for logins and units".formatted(lift.to());
      case BACKLOG -> "start the server with --backlog " + lift.to();
    };
  }
}
