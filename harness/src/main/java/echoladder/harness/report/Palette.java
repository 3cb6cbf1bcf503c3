package echoladder.harness.report;

import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * One colour and one mark for each server, the same in every plot. Colours are those of Okabe and Ito (Color Universal
 * Design, 2008), which the colour-blind tell apart; yellow and black are left out as each of them is lost on one ground.
 * Where there are more servers than colours the mark tells them apart.
 */
final class Palette {
  /** The reference stands apart from the contenders. */
  private static final String REFERENCE = "#7a7a7a";

  /** Blue, vermilion, bluish green, reddish purple, orange, sky blue. */
  private static final List<String> CONTENDERS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9");

  /** Kernel, live heap, rest: shades of one colour that is no server's, so that they read as parts. */
  static final List<String> MEMORY = List.of("#8a8f98", "#5b4a9e", "#b9aee0");

  private static final List<String> SHAPES = List.of("circle", "square", "triangle", "diamond", "down", "cross", "plus");

  private Palette() {}

  /** By the order of the study's servers. */
  static List<String> colours(RunRecord run) {
    List<String> colours = new ArrayList<>();
    int contender = 0;
    for (RunRecord.ServerRecord server : run.servers()) {
      colours.add(
          server.role().equals("reference") ? REFERENCE : CONTENDERS.get(contender++ % CONTENDERS.size()));
    }
    return colours;
  }

  /** The mark of a server by its index. */
  static String shape(int server) {
    return SHAPES.get(server % SHAPES.size());
  }
}
