package echoladder.harness.cli.run;

import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.harness.common.Refusal;
import echoladder.harness.server.OwnServer;
import echoladder.harness.study.StudyLoad;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a server that the project does not know is subscribed to and published to, whoever starts it. */
final class PushPathOptions {
  private static final String SUBSCRIBE = "--subscribe-path";
  private static final String PUBLISH = "--publish-path";

  /** The names of both options. */
  static final List<String> NAMES = List.of(SUBSCRIBE, PUBLISH);

  @Option(
      names = SUBSCRIBE,
      paramLabel = "PATH",
      description = "In a study that publishes, over HTTP: where your server's event stream is asked for by GET; over WebSocket: where a"
          + " subscriber upgrades, and gets each message as it was published. {topic} stands for the number of the topic."
          + " Goes with --own, --own-pid and --attach. Default: /subscribe?topic={topic}.")
  private @Nullable String subscribe;

  @Option(
      names = PUBLISH,
      paramLabel = "PATH",
      description = "In a study that publishes, over HTTP or WebSocket: where a message is posted to. {topic} stands for the number of its"
          + " topic. Default: /publish?topic={topic}. Over WebSocket also ws:PATH: one more connection upgrades at PATH and sends each"
          + " message as text, without an answer.")
  private @Nullable String publish;

  /** Whether one of them is given. */
  boolean given() {
    return subscribe != null || publish != null;
  }

  @Nullable String subscribe() {
    return subscribe;
  }

  @Nullable String publish() {
    return publish;
  }

  /**
   * Both, where one is given; null = neither is.
   *
   * @throws Refusal (bad usage) where one is no path
   */
  @Nullable PushPaths paths() {
    if (!given()) {
      return null;
    }
    try {
      return new PushPaths(
          subscribe == null ? PushPaths.DEFAULT.subscribe() : subscribe, publish == null ? PushPaths.DEFAULT.publish() : publish);
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--" + e.getMessage());
    }
  }

  /** Says that the study publishes nothing. */
  static Refusal unpublished() {
    return Refusal.badUsage(
        SUBSCRIBE + " and " + PUBLISH + " go with a study that publishes: --set load.publish=all; see " + OwnServer.PUSH_PAGE);
  }

  /**
   * Refuses a load that cannot be told to a server by such paths, or be carried by text.
   *
   * @param speaks HTTP or WebSocket
   * @throws Refusal (bad usage) where it cannot
   */
  static void check(Protocol speaks, PushPaths paths, Publish published, StudyLoad load) {
    if (paths.publishesBySocket() && speaks != Protocol.WEBSOCKET) {
      throw Refusal.badUsage(
          "%s %s: messages go out over WebSocket (%s) where the server speaks WebSocket; over HTTP they are posted"
              .formatted(PUBLISH, paths.publish(), PushPaths.SOCKET));
    }
    if (!published.fits(paths, load.activeShare())) {
      throw Refusal.badUsage(
          ("%s %s and %s %s do not both name %s: then every connection gets every message, so load.publish must be all and"
              + " load.active_share 1")
              .formatted(SUBSCRIBE, paths.subscribe(), PUBLISH, paths.publish(), PushPaths.TOPIC));
    }
    if (!published.fitsConnection(paths)) {
      throw Refusal.badUsage(
          "%s %s: messages go out on one connection, which is upgraded for one topic, so load.publish must be all"
              .formatted(PUBLISH, paths.publish()));
    }
    if (load.messageBytes() < Publish.LEAST_TEXT_BYTES) {
      throw Refusal.badUsage(
          "load.message is %d B; as text a message needs %d B or more with load.publish"
              .formatted(load.messageBytes(), Publish.LEAST_TEXT_BYTES));
    }
  }
}
