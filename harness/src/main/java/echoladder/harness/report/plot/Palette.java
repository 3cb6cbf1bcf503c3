package echoladder.harness.report.plot;

import echoladder.harness.results.RunRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One colour and one mark for each server, the same in every plot. Colours are those of Okabe and Ito (Color Universal
 * Design, 2008), which the colour-blind tell apart; yellow and black are left out as each of them is lost on one ground.
 * Where there are more servers than colours the mark tells them apart.
 */
final class Palette {
  /** The reference stands apart from the contenders. */
  static final String REFERENCE = "#7a7a7a";

  /** Blue, vermilion, bluish green, reddish purple, orange, sky blue. */
  private static final List<String> CONTENDERS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9");

  /** A figure that is less, and one that is more: bluish green and vermilion. */
  static final String LESS = "#009e73";

  static final String MORE = "#d55e00";

  /** Kernel, live heap, rest: shades of one colour that is no server's, so that they read as parts. */
  static final List<String> MEMORY = List.of("#8a8f98", "#5b4a9e", "#b9aee0");

  /** How far the outer shades lie towards black and white: both still stand out from either ground. */
  private static final double MOST_SHADE = 0.4;

  private static final List<String> SHAPES = List.of("circle", "square", "triangle", "diamond", "down", "cross", "plus");

  private Palette() {}

  /** By the order of the study's servers; those that axes make of one server are shades of its colour. */
  static List<String> colours(RunRecord run) {
    Map<String, String> hues = hues(run);
    Map<String, Long> of =
        run.servers().stream().collect(Collectors.groupingBy(server -> base(run, server), Collectors.counting()));
    Map<String, Integer> next = new HashMap<>();
    List<String> colours = new ArrayList<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      String base = base(run, server);
      int index = next.merge(base, 1, Integer::sum) - 1;
      colours.add(shade(hues.getOrDefault(base, REFERENCE), index, (int) (long) of.getOrDefault(base, 1L)));
    }
    return colours;
  }

  /** The colour of each server of the study by its label, without what axes add to that. */
  static Map<String, String> hues(RunRecord run) {
    Map<String, String> hues = new LinkedHashMap<>();
    int contender = 0;
    for (RunRecord.ServerRecord server : run.servers()) {
      if (server.role().equals("reference")) {
        hues.put(base(run, server), REFERENCE);
      } else if (!hues.containsKey(base(run, server))) {
        hues.put(base(run, server), colour(contender++));
      }
    }
    return hues;
  }

  private static String base(RunRecord run, RunRecord.ServerRecord server) {
    return run.study().entry(server.label()).map(Study.Entry::base).orElse(server.label());
  }

  /** One of so many shades of a colour, from darker to lighter; of one it is the colour itself. */
  static String shade(String colour, int index, int of) {
    double towards = of == 1 ? 0 : MOST_SHADE * (2.0 * index / (of - 1) - 1);
    StringBuilder shade = new StringBuilder("#");
    for (int at = 1; at < 7; at += 2) {
      int part = Integer.parseInt(colour.substring(at, at + 2), 16);
      shade.append("%02x".formatted(Math.round(towards < 0 ? part * (1 + towards) : part + (255 - part) * towards)));
    }
    return shade.toString();
  }

  /** The colour of a contender by its index. */
  static String colour(int contender) {
    return CONTENDERS.get(contender % CONTENDERS.size());
  }

  /** The mark of a server by its index. */
  static String shape(int server) {
    return SHAPES.get(server % SHAPES.size());
  }
}
