package echoladder.openloop.codec;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.PushPaths;
import echoladder.client.websocket.Frames;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;

/** How messages are published on a connection, and what its server answers. Belongs to the thread that publishes. */
public interface PublishTalk {
  /** What a plan publishes by. */
  static PublishTalk of(LoadPlan plan, Failures failures) {
    long salt = Payload.salt(plan.seed());
    String authority = plan.targets().getFirst().toString();
    boolean text = plan.http().pushesText(plan.protocol());
    PushPaths paths = plan.http().pushPaths();
    if (text && !paths.publishesBySocket()) {
      return new HttpPublishTalk(paths, authority, salt, plan.messageBytes(), failures);
    }
    if (plan.protocol() == Protocol.TCP) {
      return new TcpPublishTalk(salt, plan.messageBytes());
    }
    // Messages that go out so are of one topic.
    String path = text ? paths.publishPath(0) : plan.http().path();
    return new SocketPublishTalk(new Upgrades(path, authority, plan.seed(), failures), text, salt, plan.messageBytes(), failures);
  }

  /** The answer does not say to how many subscribers the message went. */
  int UNTOLD = -1;

  /** What {@link #own} puts at most. */
  int MOST_OWN_BYTES = Frames.MOST_HEAD_BYTES + Frames.MOST_CONTROL_BYTES;

  /** Takes what answers come to, in the order of the messages. */
  interface Answers {
    /** The oldest message without answer went to so many subscribers, or {@link #UNTOLD}. */
    void published(int subscribers);

    /** What came answers no publish: the connection is of no use any more. */
    void broken(String cause);

    /** The topic of the oldest message without answer; negative where every message has one. */
    int topic();
  }

  /** What is to be sent first, which the server answers before anything is published; empty = nothing. */
  default byte[] opening() {
    return new byte[0];
  }

  /** Whether a connection on which nothing is owed lasts until the client ends it; else the server may end it, and another follows. */
  default boolean lasts() {
    return true;
  }

  /** Whether the server answers each message; else it has a message, as far as can be told, once that was written. */
  default boolean answered() {
    return true;
  }

  /** Whether messages may be published. */
  default boolean open() {
    return true;
  }

  /** Bytes that are to be sent before the next message and belong to none: the answer to a ping; 0 = none. */
  default int ownBytes() {
    return 0;
  }

  /** Puts them at 0 of out. */
  default void own(MemorySegment out) {}

  /** So many of them were sent. */
  default void ownSent(int bytes) {}

  /** Bytes of the longest publish. */
  int mostBytes();

  /** Puts what publishes a message at 0 of out; how many bytes. */
  int publish(MemorySegment out, Delivery of);

  /** Takes {@code n} bytes of answers, up to what is broken. */
  void take(MemorySegment in, int n, Answers into);
}
