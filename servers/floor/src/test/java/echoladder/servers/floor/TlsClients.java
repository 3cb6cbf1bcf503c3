package echoladder.servers.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.client.tls.ThrowawayCertificate;
import echoladder.client.tls.TrustedSockets;
import echoladder.servers.kit.options.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import picocli.CommandLine;

/** Clients by the JDK that trust one certificate, and the options of a server that has it. */
final class TlsClients {
  static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();
  static final int BUFFER_BYTES = 65_536;
  static final int RECORD_BYTES = 16_384;

  /** A record of application data that no key has sealed. */
  static final byte[] BROKEN_RECORD = brokenRecord();

  final TlsOptions options = new TlsOptions();
  private final SSLContext trusting;

  /** Writes the certificate to files of that folder. */
  TlsClients(Path dir) throws IOException {
    ThrowawayCertificate certificate = ThrowawayCertificate.make();
    trusting = TrustedSockets.context(certificate.authority());
    List<String> argv = new ArrayList<>(List.of("--tls", "on"));
    argv.addAll(certificate.writtenTo(dir));
    new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(argv.toArray(String[]::new));
  }

  private static byte[] brokenRecord() {
    byte[] record = new byte[5 + 32];
    record[0] = 23;
    record[1] = 3;
    record[2] = 3;
    record[4] = 32;
    return record;
  }

  SSLSocket shaken(Socket socket, String version) throws IOException {
    SSLSocket tls = (SSLSocket) trusting.getSocketFactory().createSocket(socket, ThrowawayCertificate.NAME, socket.getPort(), true);
    tls.setEnabledProtocols(new String[] {version});
    tls.startHandshake();
    return tls;
  }

  static void echo(SSLSocket tls, int bytes) throws IOException {
    byte[] message = new byte[bytes];
    new Random(bytes).nextBytes(message);
    CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(tls, message), THREADS);
    assertThat(tls.getInputStream().readNBytes(bytes)).isEqualTo(message);
    writing.join();
  }

  /** Two connections send a broken record each, and end alone; the server has two loops, with two connections each. */
  void breakRecords(RunningFloor floor) throws IOException {
    try (Socket first = floor.connect();
        Socket second = floor.connect();
        SSLSocket third = shaken(floor.connect(), "TLSv1.3");
        SSLSocket fourth = shaken(floor.connect(), "TLSv1.2")) {
      for (Socket socket : List.of(first, second)) {
        SSLSocket tls = shaken(socket, "TLSv1.3");
        echo(tls, 64);
        socket.getOutputStream().write(BROKEN_RECORD);
        assertThatThrownBy(() -> tls.getInputStream().read()).isInstanceOf(SSLException.class).hasMessageContaining("bad_record_mac");
        echo(third, 64);
        echo(fourth, 64);
      }
      floor.awaitOpen(2);
      assertThat(floor.metrics.broken()).isEqualTo(2);
    }
  }

  static void write(SSLSocket tls, byte[] bytes) {
    try {
      tls.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes blocks whose bytes are the low ones of their positions, one at least, and then close_notify; gives how many bytes. */
  static long writeUntil(SSLSocket tls, AtomicBoolean enough) {
    byte[] block = new byte[BUFFER_BYTES];
    for (int i = 0; i < block.length; i++) {
      block[i] = (byte) i;
    }
    long written = 0;
    do {
      write(tls, block);
      written += block.length;
    } while (!enough.get());
    try {
      tls.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return written;
  }

  /** The server has received all that the kernel's buffers take, and owes some of it. */
  static void awaitStuck(RunningFloor floor) {
    awaitQuiet(floor, 1);
  }

  /** The server has received something, has gone on receiving nothing for a while, and owes so many bytes or more. */
  static void awaitQuiet(RunningFloor floor, long owed) {
    long[] before = {0};
    int[] quiet = {0};
    await()
        .pollInterval(Duration.ofMillis(100))
        .atMost(Duration.ofSeconds(40))
        .until(
            () -> {
              long now = floor.metrics.receivedBytes();
              quiet[0] = now > 0 && now == before[0] && now - floor.metrics.sentBytes() >= owed ? quiet[0] + 1 : 0;
              before[0] = now;
              return quiet[0] == 5;
            });
  }

  static long readAll(SSLSocket tls) throws IOException {
    InputStream in = tls.getInputStream();
    byte[] some = new byte[BUFFER_BYTES];
    long position = 0;
    for (int n = in.read(some); n >= 0; n = in.read(some)) {
      for (int i = 0; i < n; i++, position++) {
        if (some[i] != (byte) position) {
          throw new AssertionError("byte " + position + " is " + some[i]);
        }
      }
    }
    return position;
  }
}
