package echoladder.servers.contract.tls;

import echoladder.servers.contract.Variant;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handshakes that do not come to their end. A server waits long for them, so the servers do it side by side. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class TlsHandshakeIT {
  /** A client that stops in its handshake, or goes through it byte by byte, is ended within a bound, and slows nobody. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.tls.TlsServer#all")
  void boundsAHandshakeAsAWhole(Variant variant) throws Exception {
    // A record of a greeting, of which the rest never comes.
    byte[] half = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};
    try (TlsServer server = TlsServer.start(variant);
        Socket silent = server.plain();
        Socket stopped = server.plain();
        Socket dripping = server.plain()) {
      stopped.getOutputStream().write(half);
      dripping.getOutputStream().write(half);
      Thread drip = Thread.ofVirtual().start(() -> drip(dripping));
      try (TlsPeer peer = server.connect("1.3")) {
        peer.echo(TlsPeer.bytes(1, 64));
        server.running().awaitOpen(4);
        TlsServer.awaitEnd(silent);
        TlsServer.awaitEnd(stopped);
        TlsServer.awaitEnd(dripping);
        server.running().awaitOpen(1);
        peer.echo(TlsPeer.bytes(2, 64));
      }
      drip.interrupt();
      drip.join();
    }
  }

  private static void drip(Socket socket) {
    try {
      while (true) {
        Thread.sleep(500);
        socket.getOutputStream().write(1);
      }
    } catch (IOException | InterruptedException e) {
      // The server has ended it, or the test is over.
    }
  }
}
