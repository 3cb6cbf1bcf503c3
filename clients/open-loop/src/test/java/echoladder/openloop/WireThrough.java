package echoladder.openloop;

import echoladder.openloop.codec.Wire;
import echoladder.openloop.result.Answer;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Another wire as it is; a test overrides what it changes or watches. */
public class WireThrough implements Wire {
  private final Wire wire;

  public WireThrough(Wire wire) {
    this.wire = wire;
  }

  @Override
  public int requestBytes(int connection) {
    return wire.requestBytes(connection);
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    wire.request(out, connection, key, from, bytes);
  }

  @Override
  public int take(int connection, long key, MemorySegment in, int from, int to) {
    return wire.take(connection, key, in, from, to);
  }

  @Override
  public void restart(int connection) {
    wire.restart(connection);
  }

  @Override
  public boolean complete() {
    return wire.complete();
  }

  @Override
  public boolean endedBy(int connection) {
    return wire.endedBy(connection);
  }

  @Override
  public Answer answer() {
    return wire.answer();
  }

  @Override
  public int ownBytes(int connection) {
    return wire.ownBytes(connection);
  }

  @Override
  public void own(int connection, MemorySegment out) {
    wire.own(connection, out);
  }

  @Override
  public void ownSent(int connection, int bytes) {
    wire.ownSent(connection, bytes);
  }

  @Override
  public boolean open(int connection) {
    return wire.open(connection);
  }

  @Override
  public boolean speaksUnasked(int connection, MemorySegment in, int from, int to) {
    return wire.speaksUnasked(connection, in, from, to);
  }

  @Override
  public boolean answersEarly() {
    return wire.answersEarly();
  }

  @Override
  public boolean closes() {
    return wire.closes();
  }

  @Override
  public @Nullable String unended(int connection) {
    return wire.unended(connection);
  }

  @Override
  public long arrayBytes() {
    return wire.arrayBytes();
  }

  /** Takes its time, also where the system wakes it early. */
  protected static void pause(long ns) {
    long end = System.nanoTime() + ns;
    for (long left = ns; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
