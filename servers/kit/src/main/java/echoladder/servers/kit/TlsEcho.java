package echoladder.servers.kit;

import echoladder.servers.kit.options.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Echo over TLS by the JDK's SSLSocket, through a buffer of the connection's own. The handshake is on the connection's thread. One
 * more thread ends connections whose handshake takes longer than {@link TlsOptions#HANDSHAKE_MOST}. Who has ended its side, by
 * close_notify or by a FIN alone, gets close_notify.
 */
final class TlsEcho implements BlockingEchoServer.Conversation {
  private final int bufferBytes;
  private final EchoMetrics metrics;
  private final SSLContext context;
  private final ScheduledThreadPoolExecutor bounds =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("handshake-bound").factory());

  TlsEcho(int bufferBytes, EchoMetrics metrics, SSLContext context) {
    this.bufferBytes = bufferBytes;
    this.metrics = metrics;
    this.context = context;
    bounds.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void hold(SocketChannel channel) throws IOException {
    try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(channel.socket(), (InputStream) null, true)) {
      shake(channel, socket);
      byte[] buffer = new byte[bufferBytes];
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      for (int n; (n = in.read(buffer)) >= 0; ) {
        metrics.received(n);
        out.write(buffer, 0, n);
        metrics.sent(n);
      }
    }
  }

  private void shake(SocketChannel channel, SSLSocket socket) throws IOException {
    socket.setEnabledProtocols(TlsOptions.VERSIONS.toArray(String[]::new));
    Future<?> bound = bounds.schedule(() -> end(channel), TlsOptions.HANDSHAKE_MOST.toMillis(), TimeUnit.MILLISECONDS);
    try {
      socket.startHandshake();
    } finally {
      bound.cancel(false);
    }
  }

  private static Void end(SocketChannel channel) throws IOException {
    channel.close();
    return null;
  }
}
