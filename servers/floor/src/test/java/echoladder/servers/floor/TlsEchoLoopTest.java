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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * What TLS in memory could get wrong beside an edge-triggered loop: records cut anywhere, a full socket, new keys, and errors that OpenSSL
 * keeps for each thread. The contract suite covers the rest.
 */
@Timeout(60)
class TlsEchoLoopTest {
  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static final int BUFFER_BYTES = 65_536;
  private static final int RECORD_BYTES = 16_384;

  /** A record of application data that no key has sealed. */
  private static final byte[] BROKEN_RECORD = brokenRecord();

  private static OpenSslContext context;
  private static SSLContext trusting;

  @BeforeAll
  static void certificate(@TempDir Path dir) throws IOException {
    ThrowawayCertificate certificate = ThrowawayCertificate.make();
    trusting = TrustedSockets.context(certificate.authority());
    List<String> argv = new ArrayList<>(List.of("--tls", "on"));
    argv.addAll(certificate.writtenTo(dir));
    TlsOptions options = new TlsOptions();
    new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(argv.toArray(String[]::new));
    context = OpenSslContext.of(options);
  }

  private static byte[] brokenRecord() {
    byte[] record = new byte[5 + 32];
    record[0] = 23;
    record[1] = 3;
    record[2] = 3;
    record[4] = 32;
    return record;
  }

  private static RunningFloor start(int bufferBytes) throws IOException {
    return new RunningFloor(bufferBytes, setup -> new TlsEchoLoop(setup, context));
  }

  private static SSLSocket shaken(Socket socket, String version) throws IOException {
    SSLSocket tls = (SSLSocket) trusting.getSocketFactory().createSocket(socket, ThrowawayCertificate.NAME, socket.getPort(), true);
    tls.setEnabledProtocols(new String[] {version});
    tls.startHandshake();
    return tls;
  }

  private static void echo(SSLSocket tls, int bytes) throws IOException {
    byte[] message = new byte[bytes];
    new Random(bytes).nextBytes(message);
    CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(tls, message), THREADS);
    assertThat(tls.getInputStream().readNBytes(bytes)).isEqualTo(message);
    writing.join();
  }

  private static void write(SSLSocket tls, byte[] bytes) {
    try {
      tls.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, TLSv1.3", "1, TLSv1.2", "100, TLSv1.3", "65536, TLSv1.3", "65536, TLSv1.2"})
  void echoesHoweverTheRecordsAreCut(int bufferBytes, String version) throws Exception {
    try (RunningFloor floor = start(bufferBytes)) {
      long bytes = 0;
      try (SSLSocket tls = shaken(floor.connect(), version)) {
        for (int size : new int[] {1, 300, RECORD_BYTES, RECORD_BYTES + 1, 40_000}) {
          echo(tls, size);
          bytes += size;
        }
      }
      floor.awaitOpen(0);
      assertThat(floor.metrics.receivedBytes()).isEqualTo(bytes);
      assertThat(floor.metrics.sentBytes()).isEqualTo(bytes);
    }
  }

  /** Nothing may be lost where the socket is full, and nobody tells of what came meanwhile. */
  @Test
  void aPeerThatReadsLateGetsEveryByteAndTheEnd() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES);
        SSLSocket tls = shaken(floor.connect(RECORD_BYTES), "TLSv1.3")) {
      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Long> writing = CompletableFuture.supplyAsync(() -> writeUntil(tls, enough), THREADS);
      awaitStuck(floor);
      long owed = floor.metrics.receivedBytes() - floor.metrics.sentBytes();
      assertThat(owed).as("the echo of one read, with the rest of a record before it").isBetween(1L, (long) BUFFER_BYTES + RECORD_BYTES);
      enough.set(true);
      assertThat(readAll(tls)).isEqualTo(writing.join());
      floor.awaitOpen(0);
    }
  }

  /** Writes blocks whose bytes are the low ones of their positions, one at least, and then close_notify; gives how many bytes. */
  private static long writeUntil(SSLSocket tls, AtomicBoolean enough) {
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

  private static void awaitStuck(RunningFloor floor) {
    long[] before = {-1};
    int[] quiet = {0};
    await()
        .pollInterval(Duration.ofMillis(100))
        .atMost(Duration.ofSeconds(40))
        .until(
            () -> {
              long now = floor.metrics.receivedBytes();
              quiet[0] = now == before[0] && now > floor.metrics.sentBytes() ? quiet[0] + 1 : 0;
              before[0] = now;
              return quiet[0] == 5;
            });
  }

  private static long readAll(SSLSocket tls) throws IOException {
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

  @Test
  void followsKeyUpdatesAndAnswersThem() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES);
        SSLSocket tls = shaken(floor.connect(), "TLSv1.3")) {
      for (int i = 0; i < 5; i++) {
        echo(tls, 300);
        // Over TLS 1.3 a second handshake is a key update, which asks for one of the server's.
        tls.startHandshake();
        echo(tls, 20_000);
      }
    }
  }

  /** Two loops have two connections each. */
  @Test
  void aBrokenRecordEndsItsConnectionAlone() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES);
        Socket first = floor.connect();
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
}
