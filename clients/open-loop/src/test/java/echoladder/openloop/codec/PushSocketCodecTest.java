package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.Target;
import echoladder.client.schedule.Slice;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames of push in messages of WebSocket, cut anywhere, with control frames between them; and how a message is published. */
class PushSocketCodecTest {
  private static final int MESSAGE = 64;
  private static final long SEED = 7;
  private static final LoadPlan PLAN =
      LoadPlan.builder(new Target("127.0.0.1", 9), 2, 100, Duration.ofSeconds(1))
          .protocol(Protocol.WEBSOCKET).publish(Publish.ALL).messageBytes(MESSAGE).seed(SEED).build();

  private final Failures failures = new Failures();
  private final PushSocketCodec codec =
      new PushSocketCodec(PLAN, Publish.ALL, new Slice(0, 1, 2, 2), new Upgrades("/echo", "127.0.0.1:9", SEED, failures), SEED, failures);

  private final List<Answer> answers = new ArrayList<>();
  private final List<Long> delivered = new ArrayList<>();
  private final List<Boolean> right = new ArrayList<>();

  private byte[] upgrade() {
    MemorySegment out = Arena.ofAuto().allocate(1_024);
    int bytes = codec.ownBytes(1);
    codec.own(1, out);
    codec.ownSent(1, bytes);
    String request = new String(out.asSlice(0, bytes).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
    return Upgrade.answer(String.valueOf(Upgrade.header(request, "Sec-WebSocket-Key")));
  }

  private static byte[] message(byte[] frame) {
    return Frames.plain(Frames.BINARY, true, Arrays.copyOfRange(frame, 4, frame.length));
  }

  private static byte[] pushed(long number) {
    Delivery of = new Delivery();
    of.sequence = number;
    byte[] frame = new byte[PushFrames.publishBytes(MESSAGE)];
    PushFrames.publish(MemorySegment.ofArray(frame), Payload.salt(SEED), of, MESSAGE);
    frame[4] = PushFrames.MESSAGE;
    return message(frame);
  }

  private void hear(byte[] bytes, int piece) {
    for (int from = 0; from < bytes.length; from += piece) {
      MemorySegment in = MemorySegment.ofArray(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece)));
      for (int at = 0; at < in.byteSize(); ) {
        int next = codec.take(1, 0, in, at, (int) in.byteSize());
        assertThat(next).isGreaterThan(at);
        at = next;
        Delivery delivery = codec.delivery();
        if (codec.complete()) {
          answers.add(codec.answer());
        } else if (delivery != null) {
          delivered.add(delivery.sequence);
          right.add(delivery.right);
        }
      }
    }
  }

  @Test
  void messagesThatAreCutAnywhereAreTheSameMessages() {
    for (int piece = 1; piece < 200; piece++) {
      codec.restart(1);
      answers.clear();
      delivered.clear();
      right.clear();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(upgrade());
      all.writeBytes(message(PushFrames.request(PushFrames.SUBSCRIBED, 0)));
      all.writeBytes(pushed(0));
      all.writeBytes(Frames.plain(Frames.PING, true, new byte[] {1, 2}));
      all.writeBytes(pushed(1));
      all.writeBytes(Frames.plain(Frames.PONG, true, new byte[0]));
      all.writeBytes(message(PushFrames.request(PushFrames.LEFT, 0)));
      hear(all.toByteArray(), piece);
      assertThat(answers).as("in pieces of %d", piece).containsExactly(Answer.RIGHT, Answer.RIGHT);
      assertThat(delivered).containsExactly(0L, 1L);
      assertThat(right).containsOnly(true);
      assertThat(codec.ownBytes(1)).as("a pong is owed").isPositive();
    }
  }

  @Test
  void whatIsNoFrameOfPushInABinaryMessageIsBroken() {
    byte[] subscribed = Arrays.copyOfRange(PushFrames.request(PushFrames.SUBSCRIBED, 0), 4, PushFrames.HEAD_BYTES);
    for (byte[] bytes :
        List.of(
            Frames.plain(Frames.TEXT, true, subscribed), Frames.plain(Frames.BINARY, false, subscribed),
            Frames.plain(Frames.BINARY, true, new byte[4]), message(PushFrames.request(PushFrames.LEFT, 0)),
            Frames.masked(Frames.BINARY, subscribed, 1))) {
      codec.restart(1);
      answers.clear();
      hear(upgrade(), 1_000);
      hear(bytes, 1_000);
      assertThat(answers).startsWith(Answer.BROKEN);
    }
  }

  @Test
  void aCloseEndsTheConnection() {
    hear(upgrade(), 1_000);
    hear(Frames.plain(Frames.CLOSE, true, new byte[] {3, (byte) 0xE9}), 1_000);
    assertThat(answers).containsExactly(Answer.ENDED);
    assertThat(failures.snapshot()).containsKey("closed by the server with WebSocket code 1001");
  }

  /** What is published is what TCP has, but for the length, under a mask. */
  @Test
  void publishesTheFrameOfTcpInOneMessage() {
    Delivery of = new Delivery();
    of.sequence = 5;
    of.topic = 3;
    byte[] whole = new byte[PushFrames.publishBytes(MESSAGE)];
    PushFrames.publish(MemorySegment.ofArray(whole), Payload.salt(SEED), of, MESSAGE);
    PublishTalk talk = PublishTalk.of(PLAN, failures);
    MemorySegment out = Arena.ofAuto().allocate(talk.mostBytes());
    int bytes = talk.publish(out, of);
    int head = Frames.headBytes(whole.length - 4, true);
    assertThat(bytes).isEqualTo(head + whole.length - 4);
    Frames.mask(out, head, bytes - head, out.get(Frames.MASK, head - Frames.MASK_BYTES));
    assertThat(out.asSlice(head, bytes - head).toArray(JAVA_BYTE)).isEqualTo(Arrays.copyOfRange(whole, 4, whole.length));
  }

  /** Answers of a server that pushes, cut anywhere. */
  @Test
  void takesTheCountsOfItsPublishes() {
    for (int piece = 1; piece < 40; piece++) {
      PublishTalk talk = PublishTalk.of(PLAN, failures);
      List<Integer> counts = new ArrayList<>();
      PublishTalk.Answers into =
          new PublishTalk.Answers() {
            @Override
            public void published(int subscribers) {
              counts.add(subscribers);
            }

            @Override
            public void broken(String cause) {
              throw new AssertionError(cause);
            }

            @Override
            public int topic() {
              return 0;
            }
          };
      String request = new String(talk.opening(), StandardCharsets.ISO_8859_1);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(Upgrade.answer(String.valueOf(Upgrade.header(request, "Sec-WebSocket-Key"))));
      assertThat(talk.open()).isFalse();
      for (byte count = 7; count < 10; count++) {
        all.writeBytes(Frames.plain(Frames.BINARY, true, new byte[] {PushFrames.PUBLISHED, 0, 0, 0, 0, 0, 0, 0, count}));
      }
      byte[] bytes = all.toByteArray();
      for (int from = 0; from < bytes.length; from += piece) {
        byte[] part = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece));
        talk.take(MemorySegment.ofArray(part), part.length, into);
      }
      assertThat(talk.open()).isTrue();
      assertThat(counts).containsExactly(7, 8, 9);
    }
  }
}
