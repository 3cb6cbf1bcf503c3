package echoladder.openloop.testserver;

import echoladder.client.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port that refuses every connection: bound, so that nobody else can take it, and not listening. */
public final class ClosedPort implements AutoCloseable {
  private final Socket bound = new Socket();

  public ClosedPort() throws IOException {
    bound.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
  }

  public Target target() {
    return new Target("127.0.0.1", bound.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
