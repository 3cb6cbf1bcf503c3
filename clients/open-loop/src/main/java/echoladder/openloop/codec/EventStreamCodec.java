package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.schedule.Slice;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber over HTTP: the only request of a connection asks for the event stream of its topic. The head of the answer is the answer,
 * and each event behind it is a {@link Delivery}. A connection that is to get nothing subscribes to a topic of which nothing is
 * published. The stream has no end but that of its connection: whoever ends it ends the subscription.
 */
final class EventStreamCodec implements Codec {
  // Where on a connection the next byte belongs.
  private static final byte HEAD = 0;
  private static final byte CHUNK_FRAMING = 1;
  private static final byte CHUNK_DATA = 2;
  private static final byte UNTIL_CLOSE = 3;
  private static final byte ENDED = 4;

  private static final int SUCCESS = 200;

  /** How the end of a stream by the server is counted. */
  static final String STREAM_ENDED = "event stream ended by the server";

  private final PushPaths paths;
  private final byte[] behindPath;
  private final int[] topics;
  private final int topicCount;
  private final BitSet slow;
  private final int messageBytes;
  private final long salt;
  private final Failures failures;
  private final byte[] place;
  /** Bytes left of the chunk. */
  private final int[] left;
  private final AnswerHeads heads = new AnswerHeads();
  private final HttpHead head = new HttpHead();
  private final Chunks chunks;
  private final @Nullable EventInPieces[] events;
  private final ArrayDeque<EventInPieces> spare = new ArrayDeque<>();
  private Delivery last = new Delivery();
  private boolean delivered;
  private boolean complete;
  private Answer answer = Answer.RIGHT;

  EventStreamCodec(LoadPlan plan, Publish publish, Slice slice, Failures failures) {
    this.paths = plan.http().pushPaths();
    this.behindPath =
        (" HTTP/1.1\r\nHost: " + plan.targets().getFirst() + "\r\nAccept: text/event-stream\r\nCache-Control: no-cache\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    this.topics = PushCodec.topics(publish, slice);
    this.topicCount = publish.topics(slice.activeInLoad());
    this.slow = PushCodec.slow(publish, slice);
    this.messageBytes = plan.messageBytes();
    this.salt = Payload.salt(plan.seed());
    this.failures = failures;
    this.place = new byte[topics.length];
    this.left = new int[topics.length];
    this.chunks = new Chunks(left);
    this.events = new EventInPieces[topics.length];
  }

  // ---- requests ----

  private byte[] beginning(int c) {
    return ("GET " + paths.subscribePath(topics[c])).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public int requestBytes(int c) {
    return beginning(c).length + behindPath.length;
  }

  @Override
  public void request(MemorySegment out, int c, long key, int from, int bytes) {
    byte[] beginning = beginning(c);
    int ofBeginning = Math.clamp(beginning.length - from, 0, bytes);
    MemorySegment.copy(beginning, Math.min(from, beginning.length), out, JAVA_BYTE, 0, ofBeginning);
    if (bytes > ofBeginning) {
      MemorySegment.copy(behindPath, from + ofBeginning - beginning.length, out, JAVA_BYTE, ofBeginning, bytes - ofBeginning);
    }
  }

  @Override
  public boolean reads(int c) {
    return !slow.get(c);
  }

  // ---- what comes ----

  @Override
  public boolean speaksUnasked(int c, MemorySegment in, int from, int to) {
    return true;
  }

  @Override
  public int take(int c, long key, MemorySegment in, int from, int to) {
    complete = false;
    delivered = false;
    int at = from;
    // The line end of a chunk goes with the message before it: bytes behind a message are then those of another.
    while (at < to && !complete && (!delivered || (place[c] == CHUNK_FRAMING && chunks.behindData(c)))) {
      switch (place[c]) {
        case HEAD -> at = takeHead(c, in, at, to);
        case CHUNK_FRAMING -> takeFraming(c, in.get(JAVA_BYTE, at++));
        case CHUNK_DATA -> at = takeChunk(c, in, at, to);
        case UNTIL_CLOSE -> at = takeEvent(c, in, at, to);
        // What follows the end of a stream answers nothing.
        default -> at = to;
      }
    }
    return at;
  }

  private int takeHead(int c, MemorySegment in, int at, int to) {
    int next = heads.take(c, in, at, to);
    String fault = heads.fault();
    if (fault != null) {
      broken(c, fault);
    } else if (heads.whole()) {
      headDone(c, heads.segment(), heads.from(), heads.end());
    }
    return next;
  }

  private void headDone(int c, MemorySegment in, int from, int end) {
    head.read(in, from, end);
    int status = head.status();
    if (status < SUCCESS) {
      if (status / 100 != 1 || status == 101) {
        broken(c, "without a status line of HTTP/1.1, or that switches to another protocol");
      }
      return; // 100 Continue and its like are followed by the answer proper.
    }
    String fault = head.fault();
    if (fault != null) {
      broken(c, fault);
    } else if (status != SUCCESS) {
      failures.count(HttpCodec.STATUS + status + " to the subscription");
      end(c, Answer.DECLINED);
    } else if (head.length() >= 0) {
      broken(c, "with a content-length, which no event stream has");
    } else {
      complete = true;
      answer = Answer.RIGHT;
      if (head.chunked()) {
        chunks.begin(c);
      }
      place[c] = head.chunked() ? CHUNK_FRAMING : UNTIL_CLOSE;
    }
  }

  private void takeFraming(int c, byte b) {
    chunks.take(c, b);
    String fault = chunks.fault();
    if (fault != null) {
      broken(c, fault);
    } else if (chunks.over(c)) {
      failures.count(STREAM_ENDED);
      end(c, Answer.ENDED);
    } else if (chunks.atData(c)) {
      place[c] = CHUNK_DATA;
    }
  }

  private int takeChunk(int c, MemorySegment in, int at, int to) {
    int next = takeEvent(c, in, at, Math.min(to, at + left[c]));
    left[c] -= next - at;
    if (left[c] == 0) {
      chunks.dataOver(c);
      place[c] = CHUNK_FRAMING;
    }
    return next;
  }

  private int takeEvent(int c, MemorySegment in, int at, int to) {
    EventInPieces event = events[c];
    if (event == null) {
      event = spare.isEmpty() ? new EventInPieces(new BodyInPieces(messageBytes, topicCount, salt)) : spare.pop();
      events[c] = event;
    }
    int next = event.take(in, at, to);
    if (event.over()) {
      delivered = true;
      if (!event.body.of.right) {
        // Whose it is, is not known.
        event.body.of.topic = topics[c];
      }
      release(c, event);
    }
    return next;
  }

  private void release(int c, EventInPieces event) {
    Delivery of = event.body.of;
    event.body.of = last;
    last = of;
    event.restart();
    events[c] = null;
    spare.push(event);
  }

  private void broken(int c, String what) {
    failures.count(HttpCodec.CAUSE + what);
    end(c, Answer.BROKEN);
  }

  private void end(int c, Answer how) {
    complete = true;
    answer = how;
    place[c] = ENDED;
  }

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public @Nullable Delivery delivery() {
    return delivered ? last : null;
  }

  @Override
  public void restart(int c) {
    heads.restart(c);
    place[c] = HEAD;
    left[c] = 0;
    EventInPieces event = events[c];
    if (event != null) {
      release(c, event);
    }
  }

  @Override
  public boolean endedBy(int c) {
    return false;
  }

  @Override
  public Answer answer() {
    return answer;
  }

  @Override
  public @Nullable String unended(int c) {
    return place[c] != HEAD ? "a part of an event" : heads.begun(c) ? HttpCodec.CAUSE + heads.unended(c) : null;
  }

  @Override
  public long arrayBytes() {
    return 13L * topics.length + chunks.arrayBytes();
  }
}
