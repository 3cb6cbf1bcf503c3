package echoladder.tcpkali;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Receives statsd datagrams on a port of loopback and hands them on with the time of their arrival. */
final class StatsdListener implements AutoCloseable {
  private static final int DATAGRAM_MOST = 64 << 10;
  /** Room of the socket: a second of a busy listener's absence must not cost a datagram. */
  private static final int QUEUE_BYTES = 1 << 20;

  private final DatagramSocket socket;

  private StatsdListener(DatagramSocket socket) {
    this.socket = socket;
  }

  /**
   * Starts to listen.
   *
   * @param sink told of each datagram and its arrival (CLOCK_MONOTONIC, ns), from a thread of its own
   */
  static StatsdListener open(BiConsumer<String, Long> sink) throws IOException {
    DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    socket.setReceiveBufferSize(QUEUE_BYTES);
    StatsdListener listener = new StatsdListener(socket);
    Thread.ofPlatform().daemon().name("statsd").start(() -> listener.receive(sink));
    return listener;
  }

  int port() {
    return socket.getLocalPort();
  }

  private void receive(BiConsumer<String, Long> sink) {
    DatagramPacket packet = new DatagramPacket(new byte[DATAGRAM_MOST], DATAGRAM_MOST);
    while (!socket.isClosed()) {
      try {
        packet.setLength(DATAGRAM_MOST);
        socket.receive(packet);
      } catch (SocketException e) {
        // Closed: that is how this ends.
        return;
      } catch (IOException e) {
        throw new IllegalStateException("statsd datagrams cannot be received", e);
      }
      long arrivedNs = System.nanoTime();
      sink.accept(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8), arrivedNs);
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
