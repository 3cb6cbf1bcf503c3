package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushFramesTest {
  private static byte[] frame(int kind, int topic, byte[] body) {
    return ByteBuffer.allocate(9 + body.length).putInt(5 + body.length).put((byte) kind).putInt(topic).put(body).array();
  }

  private static byte[] body(int bytes) {
    byte[] body = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(body);
    return body;
  }

  @Test
  void framesComeWholeHoweverTheyAreCut() throws PushFrames.Malformed {
    List<byte[]> sent =
        List.of(
            frame(PushFrames.SUBSCRIBE, 0, body(0)),
            frame(PushFrames.PUBLISH, 7, body(0)),
            frame(PushFrames.PUBLISH, 7, body(10_000)),
            frame(PushFrames.LEAVE, Integer.MAX_VALUE, body(0)),
            frame(PushFrames.PUBLISH, 0, body(1 << 20)));
    ByteBuffer all = ByteBuffer.allocate(sent.stream().mapToInt(each -> each.length).sum());
    sent.forEach(all::put);
    for (int piece : new int[] {1, 2, 3, 8, 9, 10, 255, 4_096, all.capacity()}) {
      PushFrames frames = new PushFrames();
      List<byte[]> got = new ArrayList<>();
      for (int at = 0; at < all.capacity(); at += piece) {
        ByteBuffer in = all.duplicate().clear().position(at).limit(Math.min(all.capacity(), at + piece));
        for (byte[] frame; (frame = frames.next(in)) != null; ) {
          got.add(frame);
        }
        assertThat(in.hasRemaining()).isFalse();
      }
      assertThat(got).as("in pieces of %d", piece).hasSameSizeAs(sent);
      for (int i = 0; i < sent.size(); i++) {
        assertThat(got.get(i)).as("in pieces of %d", piece).isEqualTo(sent.get(i));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 3, 0", "4, 3, 0", "-1, 3, 0", "1048582, 3, 0", "5, 0, 0", "5, 4, 0", "5, -1, 0", "6, 1, 0", "6, 2, 0", "5, 1, -1",
    "5, 3, -2147483648",
  })
  void whatNoClientMaySendIsRefused(int length, int kind, int topic) {
    ByteBuffer head = ByteBuffer.allocate(9).putInt(length).put((byte) kind).putInt(topic).flip();
    assertThatThrownBy(() -> new PushFrames().next(head)).isInstanceOf(PushFrames.Malformed.class).message().isNotBlank();
  }

  @Test
  void aMessageDiffersFromItsPublishInItsKindAlone() {
    assertThat(PushFrames.toMessage(frame(PushFrames.PUBLISH, 5, body(20)))).isEqualTo(frame(PushFrames.MESSAGE, 5, body(20)));
    assertThat(PushFrames.reply(PushFrames.SUBSCRIBED, 9)).isEqualTo(frame(PushFrames.SUBSCRIBED, 9, body(0)));
    assertThat(PushFrames.published(9, 258)).isEqualTo(frame(PushFrames.PUBLISHED, 9, new byte[] {0, 0, 1, 2}));
  }
}
