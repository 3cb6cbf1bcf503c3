package echoladder.harness.explain;

import echoladder.harness.explain.Explanation.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An explanation for people. */
public final class ExplanationText {
  private ExplanationText() {}

  /** Its lines; where nothing fits, how to look on. */
  public static List<String> lines(Explanation explanation) {
    List<String> lines = new ArrayList<>();
    if (explanation.found()) {
      int number = 1;
      for (Match match : explanation.matches()) {
        if (number > 1) {
          lines.add("");
        }
        lines.add("%d. %s: %s".formatted(number++, match.topic(), match.means()));
        lines.addAll(details(match));
      }
      return lines;
    }
    lines.add("nothing known fits this text");
    if (!explanation.matches().isEmpty()) {
      lines.add("nearest:");
      for (Match match : explanation.matches()) {
        String text = match.text() == null ? "" : " ('" + match.text() + "')";
        lines.add("  %s%s: %s".formatted(match.topic(), text, match.page()));
      }
    }
    lines.add("to look on:");
    lines.add("  give the one line that names the error, or only the number at which it stops: ./ladder explain 28232");
    lines.add("  ./ladder doctor --connections N    every limit of this host on the way to N connections");
    lines.add("  runbooks/README.md                 all texts that are known; docs/INCIDENT.md for where to begin");
    return lines;
  }

  private static List<String> details(Match match) {
    List<String> lines = new ArrayList<>();
    if (match.text() != null) {
      lines.add("   known    " + match.text());
    }
    match.walls().forEach(wall -> lines.add("   number   " + wall.sentence()));
    for (Map.Entry<String, String> setting : match.here().entrySet()) {
      lines.add("   here     " + setting.getKey() + " = " + setting.getValue());
    }
    lines.add("   show     " + match.show());
    lines.add("   lift     " + match.lift());
    lines.add("   page     " + match.page());
    return lines;
  }
}
