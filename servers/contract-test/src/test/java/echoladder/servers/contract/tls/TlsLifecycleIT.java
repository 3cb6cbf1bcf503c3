package echoladder.servers.contract.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.tls.ThrowawayCertificate;
import echoladder.harness.common.Jdks;
import echoladder.servers.contract.CommandRun;
import echoladder.servers.contract.OutOfDescriptors;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.Variant;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Told to stop: what was received comes back, every connection ends by close_notify, and a handshake holds nothing up. */
class TlsLifecycleIT {
  private static final int CLIENTS = 20;
  private static final String PASSWORD = "throwaway";

  /** Fits into the socket buffers of both ways at once, whatever the host's settings. */
  private static final int IN_FLIGHT_BYTES = 40 << 10;

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.tls.TlsServer#all")
  void echoesWhatIsInFlightWhenTerminated(Variant variant) throws Exception {
    byte[] flying = TlsPeer.bytes(3, IN_FLIGHT_BYTES);
    List<TlsPeer> busy = new ArrayList<>();
    List<TlsPeer> idle = new ArrayList<>();
    try (TlsServer server = TlsServer.start(variant);
        Socket halfway = new Socket()) {
      halfway.connect(server.running().address());
      halfway.getOutputStream().write(new byte[] {22, 3, 1});
      for (int i = 0; i < CLIENTS; i++) {
        busy.add(server.connect(i % 2 == 0 ? "1.3" : "1.2"));
        idle.add(server.connect(i % 2 == 0 ? "1.3" : "1.2"));
        busy.getLast().echo(TlsPeer.bytes(i, 64));
        idle.getLast().echo(TlsPeer.bytes(i, 64));
      }
      for (TlsPeer peer : busy) {
        peer.sendWork(flying);
      }
      server.running().awaitArrival(busy.stream().map(TlsPeer::port).collect(Collectors.toSet()));
      // Behind those, so that they have been begun where a server has to begin them.
      for (TlsPeer peer : idle) {
        peer.echo(TlsPeer.bytes(4, 64));
      }
      long startNs = System.nanoTime();
      server.running().process().terminate();
      for (TlsPeer peer : busy) {
        peer.expectWork(flying);
        peer.expectEnd();
      }
      for (TlsPeer peer : idle) {
        peer.expectEnd();
      }
      assertThat(server.running().exitStatus()).as("%s: exit status after SIGTERM", server.running()).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - startNs))
          .as("%s: time to drain quiet connections; its limit is %s", server.running(), Variant.DRAIN)
          .isLessThan(Variant.DRAIN);
    } finally {
      for (TlsPeer peer : busy) {
        peer.close();
      }
      for (TlsPeer peer : idle) {
        peer.close();
      }
    }
  }

  /** Who was accepted is served meanwhile; who waits in the listener's queue shakes hands once it is accepted. */
  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.tls.TlsServer#defaults")
  void goesOnWhenDescriptorsAreFreeAgain(Variant variant) throws Exception {
    byte[] message = TlsPeer.bytes(5, 300);
    Queue<TlsPeer> shaken = new ConcurrentLinkedQueue<>();
    List<Future<?>> shaking = new ArrayList<>();
    try (TlsServer server = TlsServer.withFewDescriptors(variant);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < OutOfDescriptors.CLIENTS; i++) {
        shaking.add(
            executor.submit(
                () -> {
                  TlsPeer peer = server.connect("1.3");
                  // Servers bound the wait for a first request.
                  peer.echo(message);
                  return shaken.add(peer);
                }));
      }
      RunningServer running = server.running();
      OutOfDescriptors.awaitErrors(running);
      running.await("handshakes of all that were accepted").until(() -> shaken.size() == (int) running.metric("echo_connections_open"));
      for (TlsPeer peer : shaken) {
        peer.echo(message);
      }
      OutOfDescriptors.restsWhileItWaits(running);
      int served = 0;
      while (served < OutOfDescriptors.CLIENTS) {
        running.await("the next handshake").until(() -> !shaken.isEmpty());
        try (TlsPeer peer = shaken.remove()) {
          peer.echo(message);
          peer.sayEnd();
          peer.expectEnd();
        }
        served++;
      }
      for (Future<?> one : shaking) {
        one.get();
      }
      running.awaitOpen(0);
      assertThat(running.metric("echo_connections_accepted_total")).as("%s: accepted", running).isEqualTo(OutOfDescriptors.CLIENTS);
    } finally {
      for (TlsPeer peer : shaken) {
        peer.close();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.tls.TlsServer#defaults")
  void saysWhatItLacks(Variant variant) throws Exception {
    CommandRun.Outcome without = CommandRun.start(variant, TlsServer.argvWith(variant, List.of("--tls", "on"))).end();
    assertThat(without.status()).as("%s", without).isEqualTo(2);
    assertThat(without.stderr()).contains("--tls-cert FILE");
    CommandRun.Outcome plain = CommandRun.start(variant, TlsServer.argvWith(variant, List.of("--tls-cert", "a.pem"))).end();
    assertThat(plain.status()).as("%s", plain).isEqualTo(2);
    assertThat(plain.stderr()).contains("--tls on");
    List<String> missing = List.of("--tls", "on", "--tls-cert", "/none/a.pem", "--tls-key", "/none/a.key");
    CommandRun.Outcome files = CommandRun.start(variant, TlsServer.argvWith(variant, missing)).end();
    assertThat(files.status()).as("%s", files).isEqualTo(3);
    assertThat(files.stderr()).contains("--tls-cert /none/a.pem");
  }

  /** It says so before its ready line, and what to do. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.tls.TlsServer#byNativeLibrary")
  void cannotRunWithoutItsNativeLibrary(Variant variant, @TempDir Path folder) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--tls", "on"));
    arguments.addAll(TlsServer.certificate().writtenTo(folder));
    List<String> argv = TlsServer.argvWith(variant, arguments);
    // Where Netty would unpack it.
    argv.add(1, "-Dio.netty.native.workdir=/proc");
    CommandRun.Outcome ended = CommandRun.start(variant, argv).end();
    assertThat(ended.status()).as("%s", ended).isEqualTo(3);
    assertThat(ended.stdout()).isEmpty();
    assertThat(ended.stderr())
        .contains("--tls-engine boringssl: the native library of netty-tcnative could not be loaded", "--tls-engine jdk");
  }

  /** Netty does not look for a key of that kind when a client comes: such a server would start, and fail every handshake. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.tls.TlsServer#byNativeLibrary")
  void refusesAKeyOfAKindThatItCannotUse(Variant variant, @TempDir Path folder) throws Exception {
    List<String> argv = new ArrayList<>(List.of("--tls", "on"));
    argv.addAll(ofEd25519(folder.resolve("store.p12")).writtenTo(folder));
    CommandRun.Outcome ended = CommandRun.start(variant, TlsServer.argvWith(variant, argv)).end();
    assertThat(ended.status()).as("%s", ended).isEqualTo(3);
    assertThat(ended.stderr()).contains("--tls-key " + folder, "private keys of EC and RSA alone");
  }

  private static ThrowawayCertificate ofEd25519(Path store) throws Exception {
    Process keytool =
        new ProcessBuilder(
                Jdks.own().resolve("bin/keytool").toString(), "-genkeypair", "-keystore", store.toString(), "-storepass", PASSWORD, "-alias",
                "server", "-keyalg", "Ed25519", "-dname", "CN=" + ThrowawayCertificate.NAME)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).as("exit status of keytool").isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    String certificate = ThrowawayCertificate.pem("CERTIFICATE", keys.getCertificate("server").getEncoded());
    return new ThrowawayCertificate(certificate, certificate, ThrowawayCertificate.pem("PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
  }

  /** Such a server would start, and fail every handshake. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.tls.TlsServer#defaults")
  void refusesTheKeyOfAnotherCertificate(Variant variant, @TempDir Path folder) throws Exception {
    ThrowawayCertificate own = TlsServer.certificate();
    List<String> argv = new ArrayList<>(List.of("--tls", "on"));
    argv.addAll(new ThrowawayCertificate(own.authority(), own.chain(), ThrowawayCertificate.make().key()).writtenTo(folder));
    CommandRun.Outcome ended = CommandRun.start(variant, TlsServer.argvWith(variant, argv)).end();
    assertThat(ended.status()).as("%s", ended).isEqualTo(3);
    assertThat(ended.stderr()).contains("--tls-key " + folder);
  }
}
