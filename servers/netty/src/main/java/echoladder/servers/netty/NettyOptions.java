package echoladder.servers.netty;

import echoladder.servers.kit.options.BadOption;
import java.util.Locale;
import picocli.CommandLine.Option;

/** What this server takes beside the common options. */
final class NettyOptions {
  /** Size of a buffer of a ring, whose buffers have one size. */
  private static final int RING_BUFFER_BYTES = 2048;

  private static final int MOST_RING = 16_384;

  private static final int MOST_USER_TIMEOUT_MS = 3_600_000;

  /** Whether something is done. */
  enum Switch {
    ON,
    OFF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "epoll",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}. One that is not available is an error")
  private Transport transport = Transport.EPOLL;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      defaultValue = "0",
      description = "Threads that echo, 0 to 1024; 0 = --loops-per-processor of them for each processor. One more accepts")
  private int eventLoops;

  @Option(
      names = "--loops-per-processor",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads that echo for each processor where --event-loops is 0, 1 to 16; default ${DEFAULT-VALUE}")
  private int loopsPerProcessor = 1;

  @Option(
      names = "--allocator",
      paramLabel = "NAME",
      defaultValue = "adaptive",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}, as Netty's own")
  private Allocator allocator = Allocator.ADAPTIVE;

  @Option(
      names = "--receive-buffer-bytes",
      paramLabel = "N",
      defaultValue = "0",
      description = "Buffer of each read, 0 to 16777216; 0 = Netty's own choice by what was read before, or "
          + RING_BUFFER_BYTES + " with a buffer ring")
  private int receiveBufferBytes;

  @Option(
      names = "--buffer-ring",
      paramLabel = "N",
      defaultValue = "256",
      description = "io_uring_ring: buffers of each event loop that the kernel reads into, a power of two from 2 to 16384;"
          + " default ${DEFAULT-VALUE}")
  private int bufferRing = 256;

  @Option(
      names = "--receive-multishot",
      paramLabel = "on|off",
      defaultValue = "off",
      description = "io_uring_ring: whether one receive serves a connection for as long as there are buffers in the ring;"
          + " Netty 4.2.18 may then never read again from a client that was slow to read; default ${DEFAULT-VALUE}")
  private Switch receiveMultishot = Switch.OFF;

  @Option(
      names = "--keep-alive",
      paramLabel = "on|off",
      defaultValue = "off",
      description = "Whether the kernel probes connections that are silent (SO_KEEPALIVE); default ${DEFAULT-VALUE}")
  private Switch keepAlive = Switch.OFF;

  @Option(
      names = "--user-timeout-ms",
      paramLabel = "N",
      defaultValue = "0",
      description = "How long what was sent may stay unacknowledged until the connection ends (TCP_USER_TIMEOUT), 0 to 3600000 ms;"
          + " 0 = as net.ipv4.tcp_retries2 has it; not with --transport nio")
  private int userTimeoutMs;

  Transport transport() {
    return transport;
  }

  /** 1 or more. */
  int eventLoops() {
    return eventLoops == 0 ? loopsPerProcessor * Runtime.getRuntime().availableProcessors() : eventLoops;
  }

  Allocator allocator() {
    return allocator;
  }

  /** 0 = Netty's own choice; with a buffer ring the size of its buffers. */
  int receiveBufferBytes() {
    return transport == Transport.IO_URING_RING && receiveBufferBytes == 0 ? RING_BUFFER_BYTES : receiveBufferBytes;
  }

  /** Buffers of each event loop's ring where the transport has one, a power of two. */
  int bufferRing() {
    return bufferRing;
  }

  /** Whether one receive is to serve for many reads. */
  boolean receiveMultishot() {
    return receiveMultishot == Switch.ON;
  }

  /** Whether silent connections are probed. */
  boolean keepAlive() {
    return keepAlive == Switch.ON;
  }

  /** 0 = the kernel's own. */
  int userTimeoutMs() {
    return userTimeoutMs;
  }

  void check() {
    BadOption.unlessWithin("--event-loops", eventLoops, 0, 1024);
    BadOption.unlessWithin("--loops-per-processor", loopsPerProcessor, 1, 16);
    BadOption.unlessWithin("--receive-buffer-bytes", receiveBufferBytes, 0, 16 << 20);
    BadOption.unlessWithin("--buffer-ring", bufferRing, 2, MOST_RING);
    BadOption.unlessWithin("--user-timeout-ms", userTimeoutMs, 0, MOST_USER_TIMEOUT_MS);
    if (userTimeoutMs > 0 && transport.userTimeout() == null) {
      throw new BadOption("--user-timeout-ms is not allowed with --transport " + transport
          + ": sockets of the JDK have no TCP_USER_TIMEOUT; take epoll or io_uring");
    }
    if (Integer.bitCount(bufferRing) > 1) {
      throw new BadOption("--buffer-ring " + bufferRing + " is not allowed; a power of two from 2 to " + MOST_RING);
    }
  }
}
