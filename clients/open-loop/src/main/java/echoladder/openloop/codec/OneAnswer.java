package echoladder.openloop.codec;

import echoladder.client.HttpAsk;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One answer over HTTP, taken by the code that takes those of a load: what is found before a load is what the load would find. Whatever
 * body it has is right. One thread.
 */
public final class OneAnswer {
  private final Failures failures = new Failures();
  private final HttpCodec codec;
  private boolean over;
  private boolean broken;

  /** An answer whose status is to be that one, 200 to 599. */
  public OneAnswer(int status) {
    codec = new HttpCodec(1, new RequestTalk(new HttpAsk("/", "", status)), failures);
  }

  /** Takes the next {@code n} bytes of it; what stands behind its end is not looked at. Whether it is over. */
  public boolean take(byte[] bytes, int n) {
    MemorySegment in = MemorySegment.ofArray(bytes);
    for (int at = 0; at < n && !over; ) {
      at = codec.take(0, 0, in, at, n);
      over = codec.complete();
    }
    broken = over && codec.answer() == Answer.BROKEN;
    return over;
  }

  /** Takes the end of its connection; whether it is over, as an answer without a length then is. */
  public boolean takeEnd() {
    over = over || codec.endedBy(0);
    return over;
  }

  /** What is wrong with it, in words; null = nothing, so far. */
  public @Nullable String fault() {
    return broken ? String.join(", ", failures.snapshot().keySet()) : null;
  }

  /** What of it has come, and why that is not its end, in words; null = nothing has come. */
  public @Nullable String unended() {
    return over ? null : codec.unended(0);
  }
}
