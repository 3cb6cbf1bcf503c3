package echoladder.openloop.loop;

import echoladder.linux.sockets.SystemCalls;
import java.lang.foreign.MemorySegment;

/** Bytes as they are. */
final class PlainWire implements Wire {
  private final SystemCalls sys;
  private final Connections conns;
  private final Arrivals arrivals;
  private int read;

  PlainWire(SystemCalls sys, Connections conns, Arrivals arrivals) {
    this.sys = sys;
    this.conns = conns;
    this.arrivals = arrivals;
  }

  @Override
  public boolean isOpen(int c) {
    return true;
  }

  @Override
  public int open(int c) {
    return 1;
  }

  @Override
  public int seal(int c, MemorySegment out, int bytes) {
    return bytes;
  }

  @Override
  public int write(int c, MemorySegment out, int sealed) {
    return sys.write(conns.fd[c], out, sealed);
  }

  @Override
  public int flush(int c) {
    return 0;
  }

  @Override
  public int read(int c) {
    read = arrivals.read(conns.fd[c]);
    return read;
  }

  @Override
  public MemorySegment buffer() {
    return arrivals.buffer();
  }

  @Override
  public boolean more(int c) {
    return read == EventLoop.BUFFER_BYTES;
  }

  @Override
  public boolean beyond(int c) {
    return read == EventLoop.BUFFER_BYTES;
  }

  @Override
  public String failure() {
    throw new IllegalStateException("bytes as they are do not fail");
  }

  @Override
  public void close(int c) {
    sys.close(conns.fd[c]);
  }

  @Override
  public long arrayBytes() {
    return 0;
  }
}
