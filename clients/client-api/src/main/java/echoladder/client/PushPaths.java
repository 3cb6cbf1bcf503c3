package echoladder.client;

import java.util.regex.Pattern;

/**
 * Where a server that pushes text is subscribed to, by a GET or an upgrade to WebSocket, and published to, by POST or on a WebSocket
 * connection. In both, {@code {topic}} stands for the number of the topic; a server with one topic for all has paths without it.
 *
 * @param subscribe path and query of the event stream, or of the upgrade that subscribes
 * @param publish path and query that a message is posted to; behind {@link #SOCKET} those of the upgrade of the connection that publishes
 */
public record PushPaths(String subscribe, String publish) {
  /** What stands for the number of the topic. */
  public static final String TOPIC = "{topic}";

  /** What the publish path begins with where each message goes out as a WebSocket message. */
  public static final String SOCKET = "ws:";

  // Before the paths that they check.
  private static final Pattern PATH = Pattern.compile("/[!-~]{0,2000}");
  private static final Pattern PUBLISH_PATH = Pattern.compile("(?:" + SOCKET + ")?" + PATH.pattern());

  /** As the servers of the project have them. */
  public static final PushPaths DEFAULT = new PushPaths("/subscribe?topic=" + TOPIC, "/publish?topic=" + TOPIC);

  public PushPaths {
    Preconditions.check(
        PATH.matcher(subscribe).matches(), "subscribe-path", subscribe, "'/' and up to 2,000 printing characters without blanks");
    Preconditions.check(
        PUBLISH_PATH.matcher(publish).matches(), "publish-path", publish,
        "'/' and up to 2,000 printing characters without blanks, behind '" + SOCKET + "' for messages over WebSocket");
  }

  /** Whether both name the topic, so that there may be several. */
  public boolean nameTopics() {
    return subscribe.contains(TOPIC) && publish.contains(TOPIC);
  }

  /** Where a topic is subscribed to. */
  public String subscribePath(int topic) {
    return subscribe.replace(TOPIC, Integer.toString(topic));
  }

  /** Whether messages go out on a WebSocket connection, not by POST. */
  public boolean publishesBySocket() {
    return publish.startsWith(SOCKET);
  }

  /** Where a message for a topic is posted to, or the connection that publishes is upgraded. */
  public String publishPath(int topic) {
    return publish.substring(publishesBySocket() ? SOCKET.length() : 0).replace(TOPIC, Integer.toString(topic));
  }
}
