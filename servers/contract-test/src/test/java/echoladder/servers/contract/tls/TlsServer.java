package echoladder.servers.contract.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.tls.ThrowawayCertificate;
import echoladder.harness.server.ServerManifest;
import echoladder.linux.OwnedFolder;
import echoladder.servers.contract.Leaks;
import echoladder.servers.contract.OutOfDescriptors;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Tested;
import echoladder.servers.contract.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A server that speaks TLS, as a process, with a certificate of this run of the suite. At its end Netty has lost none of its buffers, and
 * none of the engines of BoringSSL.
 */
final class TlsServer implements AutoCloseable {
  private static final String[] PROTOCOLS = {"tcp", "http", "websocket"};
  private static final String OPTION = "tls";
  private static final String ON = "on";
  private static final String ENGINE = "tls-engine";
  private static final String BORINGSSL = "boringssl";
  private static final int ECHOES_AFTER_COLLECTION = 20;

  private final Variant variant;
  private final RunningServer server;

  private TlsServer(Variant variant, RunningServer server) {
    this.variant = variant;
    this.server = server;
  }

  private static final class Certificate {
    private static final ThrowawayCertificate ONE = make();

    private static ThrowawayCertificate make() {
      try {
        return ThrowawayCertificate.make();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** That of all servers here. */
  static ThrowawayCertificate certificate() {
    return Certificate.ONE;
  }

  /** Every server that can speak TLS, told to, by each engine that it has for it. */
  static Stream<Variant> defaults() {
    return speaking(Variant.defaultsOf(PROTOCOLS));
  }

  /** Those of {@link #defaults} whose engine is a native library that the server brings. */
  static Stream<Variant> byNativeLibrary() {
    return Tested.some(
        defaults().filter(variant -> BORINGSSL.equals(variant.options().get(ENGINE))), "servers with a native library for TLS");
  }

  /** Those of {@link #defaults}, and each in every other of its modes by its default engine. */
  static Stream<Variant> all() {
    return speaking(Variant.allOf(PROTOCOLS));
  }

  private static Stream<Variant> speaking(Stream<Variant> all) {
    return Tested.some(
        all.filter(variant -> speaks(variant.manifest())).flatMap(TlsServer::told), "servers that speak TLS");
  }

  private static boolean speaks(ServerManifest manifest) {
    ServerManifest.Option tls = manifest.options().get(OPTION);
    return tls != null && tls.values().contains(ON);
  }

  private static Stream<Variant> told(Variant variant) {
    Variant speaking = with(variant, OPTION, ON);
    ServerManifest.Option engine = variant.manifest().options().get(ENGINE);
    if (engine == null || !variant.options().isEmpty()) {
      return Stream.of(speaking);
    }
    return Stream.concat(
        Stream.of(speaking),
        engine.values().stream().filter(value -> !value.equals(engine.fallback())).map(value -> with(speaking, ENGINE, value)));
  }

  private static Variant with(Variant variant, String option, String value) {
    Map<String, String> all = new TreeMap<>(variant.options());
    all.put(option, value);
    return new Variant(variant.manifest(), all);
  }

  /** The bare command by the variant's engine, with these arguments. */
  static List<String> argvWith(Variant variant, List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    String engine = variant.options().get(ENGINE);
    if (engine != null) {
      all.addAll(List.of("--" + ENGINE, engine));
    }
    return variant.argvWith(all);
  }

  static TlsServer start(Variant variant) throws Exception {
    return start(variant, Variant.DRAIN);
  }

  static TlsServer start(Variant variant, Duration drain) throws Exception {
    return start(variant, variant.argv(drain), argv -> RunningServer.start(variant, List.of(), argv));
  }

  /** With few descriptors, see {@link OutOfDescriptors}. */
  static TlsServer withFewDescriptors(Variant variant) throws Exception {
    return start(variant, variant.argv(), argv -> OutOfDescriptors.start(variant, argv));
  }

  private static TlsServer start(Variant variant, List<String> plain, Start starting) throws Exception {
    try (OwnedFolder folder = OwnedFolder.temporary("contract-tls")) {
      List<String> argv = new ArrayList<>(plain);
      argv.addAll(certificate().writtenTo(folder.dir()));
      return new TlsServer(variant, starting.by(argv));
    }
  }

  private interface Start {
    RunningServer by(List<String> argv) throws Exception;
  }

  RunningServer running() {
    return server;
  }

  /** With socket buffers of that size, so that the kernel holds little for who does not read; 0 = the kernel's choice. */
  TlsPeer connect(String version, int bufferBytes) throws IOException {
    return new TlsPeer(server.address(), variant.manifest().speaks(), version, bufferBytes);
  }

  TlsPeer connect(String version) throws IOException {
    return connect(version, 0);
  }

  @Override
  public void close() throws IOException {
    try (server) {
      if (variant.followed() && server.process().alive()) {
        server.ask("POST", server.ready().gc());
        try (TlsPeer peer = connect("1.3")) {
          for (int i = 0; i < ECHOES_AFTER_COLLECTION; i++) {
            peer.echo(TlsPeer.bytes(i, 64));
          }
        }
      }
      assertThat(Leaks.in(server.logLines().stream())).as("%s: buffers that were not released", server).isEmpty();
    }
  }

  /** A connection that speaks no TLS by itself. Its reads end after a while. */
  Socket plain() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout((int) RunningServer.LONG.toMillis());
    socket.connect(server.address(), (int) RunningServer.LONG.toMillis());
    return socket;
  }

  /** Reads, perhaps an alert, until the server has ended the connection, by whatever means. */
  static void awaitEnd(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // An alert.
      }
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // By a reset.
    }
  }
}
