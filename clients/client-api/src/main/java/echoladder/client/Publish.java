package echoladder.client;

import echoladder.client.schedule.Mix;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Messages that the server pushes: each is published once, on a connection of its own, and the server delivers it to every subscriber
 * of its topic. A rate is in deliveries then. Topics take turns.
 *
 * @param topicSize subscribers of a topic at most, 1 or more; 0 = one topic of all subscribers
 * @param slow subscribers that do not read; nothing is due to them
 */
public record Publish(int topicSize, SlowReaders slow) {
  /** One topic of all subscribers, who all read. */
  public static final Publish ALL = new Publish(0, SlowReaders.NONE);

  /** The least body of a message: what a subscriber has to know of it, and a check of that. */
  public static final int LEAST_MESSAGE_BYTES = 40;

  /** The least body of a message where bodies are text: as much, in letters of six bits each. */
  public static final int LEAST_TEXT_BYTES = 55;

  /** The most of a topic: more than a load has connections. */
  private static final int MOST = 5_000_000;

  private static final Pattern TOPICS = Pattern.compile("topics-of-([1-9][0-9]{0,6})");

  public Publish {
    Preconditions.check(topicSize >= 0 && topicSize <= MOST, "publish", topicSize, "all, or topics of 1 to " + MOST);
  }

  /**
   * Reads it as studies and results have it.
   *
   * @param text {@code all}, or {@code topics-of-100}; null = nothing is published
   * @throws IllegalArgumentException for any other
   */
  public static @Nullable Publish ofText(@Nullable String text) {
    if (text == null || text.equals("all")) {
      return text == null ? null : ALL;
    }
    Matcher topics = TOPICS.matcher(text);
    Preconditions.check(topics.matches(), "publish", text, "all, or topics-of-N");
    return new Publish(Integer.parseInt(topics.group(1)), SlowReaders.NONE);
  }

  /** This, where those subscribers do not read. */
  public Publish with(SlowReaders readers) {
    return new Publish(topicSize, readers);
  }

  /** The topics of so many subscribers, 1 or more; their sizes differ by one at most. */
  public int topics(int subscribers) {
    return topicSize == 0 ? 1 : Math.ceilDiv(subscribers, topicSize);
  }

  /**
   * The topic of a subscriber, who is counted from 0 over the whole load. Each block of as many subscribers as there are topics has one
   * of each topic, in turn, from a place that a hash of the block's number chooses. With the same place in each block the subscribers of
   * a topic could all have numbers of one parity, and servers that deal connections out in turn would hold them on one event loop.
   */
  public int topic(int subscriber, int subscribers) {
    int topics = topics(subscribers);
    return (subscriber % topics + turn(subscriber / topics, topics)) % topics;
  }

  private static int turn(int block, int topics) {
    return Mix.below(topics, Mix.of(1, block));
  }

  /** The subscribers of a topic who read. */
  public int audience(int topic, int subscribers) {
    return of(topic, topics(subscribers), slow.readers(subscribers));
  }

  /** The subscribers of a topic who do not. */
  public int slowAudience(int topic, int subscribers) {
    return of(topic, topics(subscribers), subscribers) - audience(topic, subscribers);
  }

  /** How many of the first subscribers have that topic. */
  private static int of(int topic, int topics, int first) {
    int place = Math.floorMod(topic - turn(first / topics, topics), topics);
    return first / topics + (place < first % topics ? 1 : 0);
  }

  /** Messages published per second, at which so many are delivered per second to those who read. */
  public double publishesPerSecond(double deliveriesPerSecond, int subscribers) {
    return deliveriesPerSecond * topics(subscribers) / slow.readers(subscribers);
  }

  /** The least body of a message to a server that is asked so over that protocol. */
  public static int leastMessageBytes(Protocol protocol, HttpAsk asked) {
    return asked.pushesText(protocol) ? LEAST_TEXT_BYTES : LEAST_MESSAGE_BYTES;
  }

  /** Whether these audiences can be told to a server by those paths, where that share of the connections subscribes. */
  public boolean fits(PushPaths paths, double activeShare) {
    // Without a topic in its path, a connection that is to get nothing would get everything.
    return paths.nameTopics() || (topicSize == 0 && activeShare == 1);
  }

  /** Whether the messages can go out by those paths: a WebSocket connection that publishes is upgraded once, for one topic. */
  public boolean fitsConnection(PushPaths paths) {
    return topicSize == 0 || !paths.publishesBySocket();
  }

  /** Refuses a plan that does not fit. */
  void check(LoadPlan plan) {
    if (plan.http().pushesText(plan.protocol())) {
      checkPaths(plan.http().pushPaths(), plan);
    }
    Preconditions.check(plan.staged() == null, "publish", this, "not with users in stages");
    Preconditions.check(plan.churn() == null && plan.storm() == null, "churn, storm", "one", "not with publish");
    Preconditions.check(plan.inFlight() == 1, "in-flight", plan.inFlight(), "1 with publish: a subscriber sends nothing");
    Preconditions.check(
        plan.schedule() == Schedule.CONSTANT || plan.schedule() == Schedule.JITTERED, "schedule", plan.schedule().id(),
        "constant or jittered with publish");
    Preconditions.check(
        plan.messageBytes() >= leastMessageBytes(plan.protocol(), plan.http()) && plan.messageBytes() <= 1 << 20, "message-bytes",
        plan.messageBytes(), leastMessageBytes(plan.protocol(), plan.http()) + " to 1048576 with publish");
  }

  private void checkPaths(PushPaths paths, LoadPlan plan) {
    Preconditions.check(
        plan.protocol() == Protocol.WEBSOCKET || !paths.publishesBySocket(), "publish-path", paths.publish(),
        "a path that is posted to; '" + PushPaths.SOCKET + "' goes with protocol websocket");
    Preconditions.check(
        fits(paths, plan.activeShare()), "publish", this,
        "all, and active-share 1, where the paths do not name " + PushPaths.TOPIC);
    Preconditions.check(
        fitsConnection(paths), "publish", this, "all, where messages go out on one WebSocket connection (" + PushPaths.SOCKET + ")");
  }
}
