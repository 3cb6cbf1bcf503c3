package echoladder.servers.netty;

import echoladder.servers.kit.BadOption;
import picocli.CommandLine.Option;

/** What this server takes beside the common options. */
final class NettyOptions {
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
      description = "Threads that echo, 0 to 1024; 0 = one per processor. One more accepts")
  private int eventLoops;

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
      description = "Buffer of each read, 0 to 16777216; 0 = Netty's own choice by what was read before")
  private int receiveBufferBytes;

  Transport transport() {
    return transport;
  }

  /** 1 or more. */
  int eventLoops() {
    return eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
  }

  Allocator allocator() {
    return allocator;
  }

  /** 0 = Netty's own choice. */
  int receiveBufferBytes() {
    return receiveBufferBytes;
  }

  void check() {
    BadOption.unlessWithin("--event-loops", eventLoops, 0, 1024);
    BadOption.unlessWithin("--receive-buffer-bytes", receiveBufferBytes, 0, 16 << 20);
  }
}
