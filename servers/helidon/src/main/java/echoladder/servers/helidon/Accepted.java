package echoladder.servers.helidon;

import io.helidon.common.socket.SocketOptions;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Helidon's options of a connection, by which its listener shows each channel that it has accepted. */
record Accepted(SocketOptions options, Peers peers) implements SocketOptions {
  /** The options that this server has for all its connections. */
  static Accepted by(Peers peers) {
    return new Accepted(SocketOptions.builder().tcpNoDelay(true).build(), peers);
  }

  @Override
  public void configureSocket(SocketChannel channel) {
    options.configureSocket(channel);
    peers.accepted(channel);
  }

  @Override
  public void configureSocket(Socket socket) {
    options.configureSocket(socket);
  }

  @Override
  public Map<SocketOption<?>, Object> socketOptions() {
    return options.socketOptions();
  }

  @Override
  public Duration connectTimeout() {
    return options.connectTimeout();
  }

  @Override
  public Duration readTimeout() {
    return options.readTimeout();
  }

  @Override
  public Optional<Integer> socketReceiveBufferSize() {
    return options.socketReceiveBufferSize();
  }

  @Override
  public Optional<Integer> socketSendBufferSize() {
    return options.socketSendBufferSize();
  }

  @Override
  public boolean socketReuseAddress() {
    return options.socketReuseAddress();
  }

  @Override
  public boolean socketKeepAlive() {
    return options.socketKeepAlive();
  }

  @Override
  public boolean tcpNoDelay() {
    return options.tcpNoDelay();
  }
}
