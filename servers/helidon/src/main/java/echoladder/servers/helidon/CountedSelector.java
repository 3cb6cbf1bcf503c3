package echoladder.servers.helidon;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoMetrics;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Helidon's protocol with its connections counted.
 *
 * @param listener which protocol it speaks, and whether over TLS
 * @param stopping whether the server was told to stop
 */
record CountedSelector(ListenerOptions listener, EchoMetrics metrics, AcceptErrors errors, AtomicBoolean stopping)
    implements ServerConnectionSelector {
  @Override
  public int bytesToIdentifyConnection() {
    return listener.protocol().bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return listener.protocol().supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return listener.protocol().supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    CountedConnection counted =
        new CountedConnection(listener.protocol().connection(context), Peers.of(context), metrics, errors, stopping);
    if (listener.tls().on()) {
      counted.boundHandshake();
    }
    return counted;
  }
}
