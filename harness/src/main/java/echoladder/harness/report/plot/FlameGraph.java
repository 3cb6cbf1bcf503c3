package echoladder.harness.report.plot;

import echoladder.harness.common.Units;
import echoladder.harness.profile.Stacks;
import echoladder.harness.report.table.Table;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the samples of a server's CPU time lie: each frame as wide as its share of them, callees above their callers. A thread's name
 * is the lowest frame. It is of an extra repeat, and shares of samples are quoted nowhere.
 */
public final class FlameGraph {
  private static final int WIDTH = 960;
  private static final int ROW = 16;
  private static final int TOP = 44;
  private static final int BELOW = 26;
  private static final double CHARACTER = 6.6;

  /** Narrower frames are not drawn, and neither are those above them. */
  private static final double LEAST_SHARE = 0.0025;

  private static final int MOST_DEPTH = 80;
  private static final int MOST_ROWS = 20;
  private static final long MOST_BYTES = 64L << 20;

  private static final String OF_KERNEL = "#f0b27a";
  private static final String OF_JVM = "#a9d8a0";
  private static final String OF_REST = "#f3dc8f";
  private static final String OF_THREAD = "#d0d7de";

  private FlameGraph() {}

  /** A frame with all that was seen above it. */
  private static final class Frame {
    private final TreeMap<String, Frame> above = new TreeMap<>();
    private long seen;
    private long itself;
  }

  /** The names of a run's flame graphs with their titles, without a look at its folder. */
  public static Map<String, String> files(RunRecord run) {
    Map<String, String> files = new TreeMap<>();
    for (ProfileRecord of : run.profiles()) {
      if (of.watched() != null && of.watched().stacks() != null) {
        files.put(file(of.rung().key()), title(of.rung().key()));
      }
    }
    return files;
  }

  /**
   * Draws those of a run.
   *
   * @param missing is told of files that are not there
   * @param notes is told of what cannot be read
   */
  static List<Plot> read(RunRecord run, RunFolder folder, Missing missing, List<String> notes) {
    List<Plot> plots = new ArrayList<>();
    for (ProfileRecord of : run.profiles()) {
      String stacks = of.watched() == null ? null : of.watched().stacks();
      if (stacks == null) {
        continue;
      }
      try {
        plots.add(plot(of.rung().key(), Stacks.parse(folder.files().text(stacks, MOST_BYTES))));
      } catch (NoSuchFileException e) {
        missing.stacks(stacks);
      } catch (IOException | IllegalArgumentException e) {
        notes.add(stacks + ": " + e.getMessage() + ". Its flame graph is missing.");
      }
    }
    plots.sort(Comparator.comparing(Plot::file));
    return plots;
  }

  private static String file(RungKey key) {
    return "flame-%s-%d%s.svg".formatted(key.server(), key.connections(), key.ratePerS() == null ? "" : "-" + key.rate());
  }

  private static String title(RungKey key) {
    return "Profile of an extra repeat, not quoted: CPU time of %s, %s".formatted(key.server(), RungPlots.connections(key));
  }

  public static Plot plot(RungKey key, Map<String, Long> stacks) {
    Frame root = new Frame();
    stacks.forEach((stack, times) -> add(root, stack, times));
    int rows = Math.min(MOST_DEPTH, depth(root, root.seen));
    int height = TOP + rows * ROW + BELOW;
    String title = title(key);
    Svg svg =
        new Svg(WIDTH, height, title, "A flame graph of %s samples; its widest frames are in the table.".formatted(Units.count(root.seen)));
    svg.bold(8, 20, title);
    svg.text(8, 36, "start", Svg.MUTED,
        "orange: kernel, green: compiled by the JVM, yellow: other code, grey: threads; " + Units.count(root.seen) + " samples");
    draw(svg, root, root.seen, 0, 0, height - BELOW);
    svg.text(8, height - 8, "start", Svg.MUTED, "A width is a share of samples, which may be of the profiler's making.");
    return new Plot(file(key), title, svg.end(), Map.of("Frames that samples were taken in, without those above them", table(root)));
  }

  private static void add(Frame root, String stack, long times) {
    Frame at = root;
    root.seen += times;
    for (String name : stack.split(";", -1)) {
      at = at.above.computeIfAbsent(name, _ -> new Frame());
      at.seen += times;
    }
    at.itself += times;
  }

  private static boolean drawn(Frame frame, long all) {
    return frame.seen >= LEAST_SHARE * all;
  }

  private static int depth(Frame frame, long all) {
    return frame.above.values().stream().filter(of -> drawn(of, all)).mapToInt(of -> 1 + depth(of, all)).max().orElse(0);
  }

  /** The frames above one that begins at {@code from} samples. */
  private static void draw(Svg svg, Frame frame, long all, long from, int depth, double bottom) {
    long at = from;
    for (Map.Entry<String, Frame> above : frame.above.entrySet()) {
      Frame of = above.getValue();
      if (drawn(of, all) && depth < MOST_DEPTH) {
        double x = (double) WIDTH * at / all;
        double width = (double) WIDTH * of.seen / all;
        double y = bottom - (depth + 1) * ROW;
        String name = plain(above.getKey());
        svg.frame(x, y, width, ROW, colour(above.getKey(), depth),
            "%s: %s, %s".formatted(name, Units.count(of.seen), Units.percent((double) of.seen / all)), fitting(name, width));
        draw(svg, of, all, at, depth + 1, bottom);
      }
      at += of.seen;
    }
  }

  private static String plain(String name) {
    return name.endsWith(Stacks.KERNEL) || name.endsWith(Stacks.COMPILED)
        ? name.substring(0, name.length() - Stacks.KERNEL.length()) : name;
  }

  private static String colour(String name, int depth) {
    return depth == 0 ? OF_THREAD : name.endsWith(Stacks.KERNEL) ? OF_KERNEL : name.endsWith(Stacks.COMPILED) ? OF_JVM : OF_REST;
  }

  private static String fitting(String name, double width) {
    int characters = (int) ((width - 4) / CHARACTER);
    return characters < 3 ? "" : name.length() <= characters ? name : name.substring(0, characters - 1) + "…";
  }

  private static Table table(Frame root) {
    Map<String, Long> own = new HashMap<>();
    collect(root, own);
    Table table = new Table().words("frame").figures("samples", "of all");
    own.entrySet().stream()
        .filter(of -> of.getValue() > 0)
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_ROWS)
        .forEach(of -> table.row(of.getKey(), Units.count(of.getValue()), Units.percent((double) of.getValue() / root.seen)));
    return table;
  }

  private static void collect(Frame frame, Map<String, Long> own) {
    frame.above.forEach(
        (name, of) -> {
          own.merge(plain(name), of.itself, Long::sum);
          collect(of, own);
        });
  }
}
