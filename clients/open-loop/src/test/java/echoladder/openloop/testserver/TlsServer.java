package echoladder.openloop.testserver;

import echoladder.client.Target;
import echoladder.client.Tls;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.client.tls.TrustedSockets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** An echo server over TLS by the JDK that misbehaves as it is told; a thread for each connection. */
public final class TlsServer implements AutoCloseable {
  static {
    // So that an end without close_notify is an error of a read.
    System.setProperty("com.sun.net.ssl.requireCloseNotify", "true");
  }

  /** What it does wrongly. */
  public enum Fault {
    NONE,
    /** Has another key for its tickets with each connection, so that it resumes none. */
    FORGETS,
    /** Echoes without TLS, so that the client gets its own greeting back. */
    PLAIN_ECHO,
    /** Answers the greeting by a line of text. */
    PLAIN_TEXT,
    /** Ends the connection in the handshake. */
    HANGS_UP,
    /** Ends the connection after the first echo, without close_notify. */
    TRUNCATES,
    /** Ends the connection after the first echo as TLS has it. */
    CLOSES,
    /** Sends a record that it has not sealed by its key, after the first echo. */
    FORGES,
    /** Sends the head of a record that is too long, after the first echo. */
    OVERFLOWS,
    /** Goes on without TLS after the first echo. */
    UNSEALS
  }

  private final ServerSocket listener;
  private final SSLContext context;
  private final ThrowawayCertificate certificate;
  private final Fault fault;
  private final String[] versions;
  private final Map<Socket, Boolean> open = new ConcurrentHashMap<>();

  /** Names that clients have told. */
  public final ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();

  /** Ciphers of the connections. */
  public final ConcurrentLinkedQueue<String> ciphers = new ConcurrentLinkedQueue<>();

  /** Connections that clients ended as TLS has it. */
  public final AtomicInteger endedProperly = new AtomicInteger();

  private TlsServer(ThrowawayCertificate certificate, Fault fault, String... versions) throws Exception {
    this.fault = fault;
    this.versions = versions;
    this.certificate = certificate;
    context = context(certificate);
    listener = new ServerSocket(0, 4096, InetAddress.getByName("127.0.0.1"));
  }

  /** What a server of the JDK needs to have that certificate. */
  public static SSLContext context(ThrowawayCertificate certificate) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    String pem = certificate.key().replaceAll("-----[A-Z ]+-----", "");
    byte[] key = Base64.getMimeDecoder().decode(pem);
    Certificate chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate.chain().getBytes(StandardCharsets.US_ASCII)));
    keys.setKeyEntry(
        "server", KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)), new char[0], new Certificate[] {chain});
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /**
   * Shakes hands on an accepted connection.
   *
   * @param choice of what the client offers by ALPN: one of it, nothing as an empty text, or null, by which the server refuses
   */
  public static SSLSocket shaken(SSLContext context, Socket accepted, Function<List<String>, @Nullable String> choice) throws IOException {
    SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(accepted, (InputStream) null, true);
    tls.setHandshakeApplicationProtocolSelector((_, offered) -> choice.apply(offered));
    tls.startHandshake();
    return tls;
  }

  /**
   * Starts one.
   *
   * @param versions that it speaks, as {@link Tls#version} has them
   */
  public static TlsServer start(ThrowawayCertificate certificate, Fault fault, String... versions) throws Exception {
    String[] protocols = versions.clone();
    for (int i = 0; i < protocols.length; i++) {
      protocols[i] = TrustedSockets.protocol(protocols[i]);
    }
    TlsServer server = new TlsServer(certificate, fault, protocols);
    Thread.ofPlatform().daemon().name("tls-accept").start(server::accept);
    return server;
  }

  /** Where it listens. */
  public Target target() {
    return new Target("127.0.0.1", listener.getLocalPort());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        open.put(socket, true);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      switch (fault) {
        case PLAIN_ECHO -> echo(socket.getInputStream(), socket.getOutputStream(), Long.MAX_VALUE);
        case PLAIN_TEXT -> {
          socket.getInputStream().read();
          socket.getOutputStream().write("220 who are you\r\n".getBytes(StandardCharsets.US_ASCII));
          socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
        // The whole greeting: an end with something unread would be a reset.
        case HANGS_UP -> socket.getInputStream().read(new byte[1 << 14]);
        case NONE, FORGETS, TRUNCATES, CLOSES, FORGES, OVERFLOWS, UNSEALS -> overTls(socket);
      }
    } catch (IOException e) {
      // The client refused it, or is gone.
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      open.remove(socket);
    }
  }

  private void overTls(Socket socket) throws Exception {
    SSLContext its = fault == Fault.FORGETS ? context(certificate) : context;
    SSLSocket tls = (SSLSocket) its.getSocketFactory().createSocket(socket, (InputStream) null, true);
    tls.setEnabledProtocols(versions);
    tls.startHandshake();
    ciphers.add(tls.getSession().getProtocol() + " " + tls.getSession().getCipherSuite());
    for (SNIServerName name : ((ExtendedSSLSession) tls.getSession()).getRequestedServerNames()) {
      names.add(new String(name.getEncoded(), StandardCharsets.US_ASCII));
    }
    boolean ended = echo(tls.getInputStream(), tls.getOutputStream(), fault == Fault.NONE || fault == Fault.FORGETS ? Long.MAX_VALUE : 1);
    if (ended) {
      endedProperly.incrementAndGet();
    }
    byte[] unsealed =
        switch (fault) {
          case FORGES -> record(23, 40);
          case OVERFLOWS -> record(23, 0xFFFF);
          case UNSEALS -> record(22, 40);
          default -> new byte[0];
        };
    if (unsealed.length == 0 && fault != Fault.TRUNCATES) {
      tls.close();
      return;
    }
    socket.getOutputStream().write(unsealed);
    socket.shutdownOutput();
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  /** The head of a record of that type and length, and 40 zeros behind it. */
  private static byte[] record(int type, int length) {
    byte[] record = new byte[45];
    record[0] = (byte) type;
    record[1] = 3;
    record[2] = 3;
    record[3] = (byte) (length >> 8);
    record[4] = (byte) length;
    return record;
  }

  /** Echoes so many reads; whether the peer ended its side. */
  private static boolean echo(InputStream in, OutputStream out, long reads) throws IOException {
    byte[] buffer = new byte[40_000];
    for (long i = 0; i < reads; i++) {
      int n = in.read(buffer);
      if (n < 0) {
        return true;
      }
      out.write(buffer, 0, n);
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open.keySet()) {
      socket.close();
    }
  }
}
