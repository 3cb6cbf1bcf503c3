package echoladder.client;

import java.util.regex.Pattern;

/**
 * Where a server that pushes over HTTP is subscribed to, by GET, and published to, by POST. In both, {@code {topic}} stands for the
 * number of the topic; a server with one topic for all has paths without it.
 *
 * @param subscribe path and query of the event stream
 * @param publish path and query that a message is posted to
 */
public record PushPaths(String subscribe, String publish) {
  /** What stands for the number of the topic. */
  public static final String TOPIC = "{topic}";

  // Before the paths that it checks.
  private static final Pattern PATH = Pattern.compile("/[!-~]{0,2000}");

  /** As the servers of the project have them. */
  public static final PushPaths DEFAULT = new PushPaths("/subscribe?topic=" + TOPIC, "/publish?topic=" + TOPIC);

  public PushPaths {
    Preconditions.check(
        PATH.matcher(subscribe).matches(), "subscribe-path", subscribe, "'/' and up to 2,000 printing characters without blanks");
    Preconditions.check(PATH.matcher(publish).matches(), "publish-path", publish, "'/' and up to 2,000 printing characters without blanks");
  }

  /** Whether both name the topic, so that there may be several. */
  public boolean nameTopics() {
    return subscribe.contains(TOPIC) && publish.contains(TOPIC);
  }

  /** Where a topic is subscribed to. */
  public String subscribePath(int topic) {
    return subscribe.replace(TOPIC, Integer.toString(topic));
  }

  /** Where a message for a topic is posted to. */
  public String publishPath(int topic) {
    return publish.replace(TOPIC, Integer.toString(topic));
  }
}
