package echoladder.harness.explain;

import echoladder.harness.explain.Explanation.Match;
import echoladder.harness.explain.Likeness.Found;
import echoladder.harness.explain.Walls.Asked;
import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From what somebody pasted to what it may mean. Reads no file and opens no socket: all it knows is the table and the host's numbers. */
public final class Explainer {
  /** Numbers are taken from a question, not from a log. */
  private static final int MOST_CHARACTERS_OF_A_QUESTION = 400;

  private static final int MOST_LINES = 2_000;
  private static final int MOST_FOUND = 5;
  private static final int MOST_NEAREST = 3;
  private static final int MOST_WALLS = 3;

  /** Beside a text that fits, one that fits far less is noise. */
  private static final double LEAST_OF_BEST = 0.4;

  private final List<Topic> topics;
  private final HostNumbers host;
  private final Walls walls;
  private final List<Known> known = new ArrayList<>();
  private final Likeness likeness;

  private record Known(Topic topic, @Nullable String text, List<String> words) {}

  private record Best(Known known, Found found) {}

  /** Explains by these topics, with the numbers of that host. */
  public Explainer(List<Topic> topics, HostNumbers host) {
    this.topics = List.copyOf(topics);
    this.host = host;
    this.walls = new Walls(host);
    for (Topic topic : topics) {
      topic.allTexts().forEach(text -> known.add(new Known(topic, text, Wording.words(text))));
      known.add(new Known(topic, null, Wording.words(String.join(" ", topic.words()))));
    }
    likeness = new Likeness(known.stream().map(Known::words).toList());
  }

  /** What the text may mean; it may have many lines. */
  public Explanation explain(String pasted) {
    List<String> lines = lines(pasted);
    Map<Topic, Best> best = new LinkedHashMap<>();
    for (String text : lines) {
      Likeness.Line line = likeness.line(Wording.words(text));
      for (Known one : known) {
        Best here = new Best(one, one.text == null ? likeness.any(one.words, line) : likeness.compare(one.words, line));
        best.merge(one.topic, here, (a, b) -> better(a, b) ? a : b);
      }
    }
    boolean log = pasted.length() > MOST_CHARACTERS_OF_A_QUESTION;
    List<Asked> asked = log ? List.of() : lines.stream().flatMap(line -> Wording.numbers(line).stream()).toList();
    List<Match> told = told(best, asked);
    if (!told.isEmpty()) {
      return new Explanation(true, told);
    }
    List<Match> counted = counted(asked);
    return counted.isEmpty() ? new Explanation(false, nearest(best)) : new Explanation(true, counted);
  }

  private static boolean better(Best a, Best b) {
    boolean told = a.found.tells();
    return told == b.found.tells() ? a.found.score() >= b.found.score() : told;
  }

  /** Frames of a stack say where an error was met, not which one. */
  private static List<String> lines(String text) {
    return text.lines().filter(line -> !line.matches("\\s+at .*|\\s*\\.\\.\\. \\d+ more")).limit(MOST_LINES).toList();
  }

  private List<Match> told(Map<Topic, Best> best, List<Asked> asked) {
    List<Match> told = new ArrayList<>();
    best.forEach(
        (topic, one) -> {
          if (one.found.tells()) {
            List<Wall> met = walls.of(topic, asked);
            // A number that the limit explains speaks for it.
            double score = one.found.score() + (met.isEmpty() ? 0 : 3 * (1 - met.getFirst().distance()));
            told.add(match(topic, one.known.text, met, score));
          }
        });
    told.sort(Comparator.comparingDouble(Match::score).reversed());
    double least = told.isEmpty() ? 0 : told.getFirst().score() * LEAST_OF_BEST;
    return told.stream().filter(match -> match.score() >= least).limit(MOST_FOUND).toList();
  }

  private List<Match> counted(List<Asked> asked) {
    List<Match> counted = new ArrayList<>();
    for (Topic topic : topics) {
      List<Wall> met = walls.of(topic, asked);
      if (!met.isEmpty()) {
        counted.add(match(topic, null, met, 1 - met.getFirst().distance()));
      }
    }
    counted.sort(Comparator.comparingDouble(Match::score).reversed());
    return counted.stream().limit(MOST_FOUND).toList();
  }

  private List<Match> nearest(Map<Topic, Best> best) {
    return best.entrySet().stream()
        .filter(entry -> entry.getValue().found.score() > 0)
        .sorted(Comparator.comparingDouble((Map.Entry<Topic, Best> entry) -> entry.getValue().found.score()).reversed())
        .limit(MOST_NEAREST)
        .map(entry -> match(entry.getKey(), entry.getValue().known.text, List.of(), entry.getValue().found.score()))
        .toList();
  }

  private Match match(Topic topic, @Nullable String text, List<Wall> met, double score) {
    Map<String, String> here = new LinkedHashMap<>();
    KnownLimit limit = topic.limit();
    if (limit != null) {
      limit.settings().stream().filter(host.facts().sysctl()::containsKey).forEach(key -> here.put(key, host.facts().sysctl().get(key)));
      Long own = limit.settings().isEmpty() ? host.read(limit.id()) : null;
      if (own != null) {
        here.put(limit.id(), own.toString());
      }
    }
    return new Match(
        topic.id(), topic.means(), text, met.stream().limit(MOST_WALLS).toList(), here, topic.show(), topic.lift(),
        "runbooks/" + topic.page(), Math.round(score * 10_000) / 10_000.0);
  }
}
