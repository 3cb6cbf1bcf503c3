package echoladder.openloop;

import echoladder.openloop.codec.Codec;
import echoladder.openloop.result.Answer;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Another codec as it is; a test overrides what it changes or watches. */
public class CodecThrough implements Codec {
  private final Codec codec;

  public CodecThrough(Codec codec) {
    this.codec = codec;
  }

  @Override
  public int requestBytes(int connection) {
    return codec.requestBytes(connection);
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    codec.request(out, connection, key, from, bytes);
  }

  @Override
  public int take(int connection, long key, MemorySegment in, int from, int to) {
    return codec.take(connection, key, in, from, to);
  }

  @Override
  public void restart(int connection) {
    codec.restart(connection);
  }

  @Override
  public boolean complete() {
    return codec.complete();
  }

  @Override
  public boolean endedBy(int connection) {
    return codec.endedBy(connection);
  }

  @Override
  public Answer answer() {
    return codec.answer();
  }

  @Override
  public int ownBytes(int connection) {
    return codec.ownBytes(connection);
  }

  @Override
  public void own(int connection, MemorySegment out) {
    codec.own(connection, out);
  }

  @Override
  public void ownSent(int connection, int bytes) {
    codec.ownSent(connection, bytes);
  }

  @Override
  public boolean open(int connection) {
    return codec.open(connection);
  }

  @Override
  public boolean speaksUnasked(int connection, MemorySegment in, int from, int to) {
    return codec.speaksUnasked(connection, in, from, to);
  }

  @Override
  public boolean answersEarly() {
    return codec.answersEarly();
  }

  @Override
  public boolean closes() {
    return codec.closes();
  }

  @Override
  public @Nullable String unended(int connection) {
    return codec.unended(connection);
  }

  @Override
  public long arrayBytes() {
    return codec.arrayBytes();
  }

  /** Takes its time, also where the system wakes it early. */
  protected static void pause(long ns) {
    long end = System.nanoTime() + ns;
    for (long left = ns; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
