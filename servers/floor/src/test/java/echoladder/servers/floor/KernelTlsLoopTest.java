package echoladder.servers.floor;

import static echoladder.servers.floor.TlsClients.BUFFER_BYTES;
import static echoladder.servers.floor.TlsClients.RECORD_BYTES;
import static echoladder.servers.floor.TlsClients.THREADS;
import static echoladder.servers.floor.TlsClients.awaitQuiet;
import static echoladder.servers.floor.TlsClients.awaitStuck;
import static echoladder.servers.floor.TlsClients.echo;
import static echoladder.servers.floor.TlsClients.readAll;
import static echoladder.servers.floor.TlsClients.write;
import static echoladder.servers.floor.TlsClients.writeUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a handshake by OpenSSL before records by the kernel could get wrong. The contract suite covers the rest. */
@Needs(Need.KERNEL_TLS)
@Timeout(120)
class KernelTlsLoopTest {
  private static TlsClients clients;
  private static OpenSslContext context;

  private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void certificate(@TempDir Path dir) throws IOException {
    clients = new TlsClients(dir);
    context = OpenSslContext.of(clients.options, TlsEngine.KERNEL);
  }

  private RunningFloor start(int bufferBytes) throws IOException {
    return new RunningFloor(bufferBytes, setup -> new KernelTlsLoop(setup, context, said::add));
  }

  /** Sockets that have had keys in the kernel so far, by direction. */
  private static List<Long> keyed() throws IOException {
    List<Long> counts = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/net/tls_stat"))) {
      if (line.matches("Tls[TR]xSw\\s.*")) {
        counts.add(Long.parseLong(line.split("\\s+", -1)[1]));
      }
    }
    assertThat(counts).hasSize(2);
    return counts;
  }

  @ParameterizedTest
  @CsvSource({"1, 300, TLSv1.3, 1", "100, 40000, TLSv1.3, 1", "65536, 300000, TLSv1.3, 1", "65536, 40000, TLSv1.2, 0"})
  void echoesHoweverTheRecordsAreCut(int bufferBytes, int largest, String version, int byKernel) throws Exception {
    List<Long> before = keyed();
    try (RunningFloor floor = start(bufferBytes)) {
      long bytes = 0;
      try (SSLSocket tls = clients.shaken(floor.connect(), version)) {
        for (int size : new int[] {1, 300, RECORD_BYTES, RECORD_BYTES + 1, 40_000, 300_000}) {
          if (size > largest) {
            break;
          }
          echo(tls, size);
          bytes += size;
        }
      }
      floor.awaitOpen(0);
      assertThat(floor.metrics.receivedBytes()).isEqualTo(bytes);
      assertThat(floor.metrics.sentBytes()).isEqualTo(bytes);
      assertThat(floor.metrics.broken()).isZero();
    }
    assertThat(keyed()).containsExactly(before.get(0) + byKernel, before.get(1) + byKernel);
    assertThat(said).isEmpty();
  }

  /** The client's first messages and its end are sent at once behind its Finished: nothing of them is OpenSSL's to read. */
  @Test
  void whatComesAtOnceBehindTheHandshakeIsTheKernels() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES)) {
      for (int i = 0; i < 50; i++) {
        try (SSLSocket tls = clients.shaken(floor.connect(), "TLSv1.3")) {
          byte[] message = new byte[1 + i * 700];
          write(tls, message);
          write(tls, new byte[] {7});
          tls.shutdownOutput();
          assertThat(tls.getInputStream().readAllBytes()).hasSize(message.length + 1).startsWith(message).endsWith(7);
        }
      }
      floor.awaitOpen(0);
      assertThat(floor.metrics.broken()).isZero();
    }
  }

  /** Nothing may be lost where the socket is full. */
  @Test
  void aPeerThatReadsLateGetsEveryByteAndTheEnd() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES);
        SSLSocket tls = clients.shaken(floor.connect(RECORD_BYTES), "TLSv1.3")) {
      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Long> writing = CompletableFuture.supplyAsync(() -> writeUntil(tls, enough), THREADS);
      awaitStuck(floor);
      enough.set(true);
      assertThat(readAll(tls)).isEqualTo(writing.join());
      floor.awaitOpen(0);
    }
  }

  /** close_notify comes behind an echo that the socket takes at once, in part, or late. */
  @ParameterizedTest
  @CsvSource({"100000", "1000000", "3000000", "6000000"})
  void whoReadsLateGetsEveryByteOfAnyNumber(int bytes) throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES);
        SSLSocket tls = clients.shaken(floor.connect(RECORD_BYTES), "TLSv1.3")) {
      byte[] message = new byte[bytes];
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                for (int at = 0; at < bytes; at += 10_000) {
                  write(tls, Arrays.copyOfRange(message, at, at + 10_000));
                }
              },
              THREADS);
      // As much as the kernel's buffers take is written before any of it is read.
      awaitQuiet(floor, 0);
      CompletableFuture<Void> ended = writing.thenRunAsync(() -> shut(tls), THREADS);
      if (writing.isDone()) {
        ended.join();
      }
      assertThat(tls.getInputStream().readAllBytes()).isEqualTo(message);
      ended.join();
      floor.awaitOpen(0);
      assertThat(floor.metrics.broken()).isZero();
    }
  }

  private static void shut(SSLSocket tls) {
    try {
      tls.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void newKeysEndTheirConnectionAlone() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES);
        SSLSocket other = clients.shaken(floor.connect(), "TLSv1.3")) {
      for (int i = 0; i < 4; i++) {
        try (SSLSocket tls = clients.shaken(floor.connect(), "TLSv1.3")) {
          echo(tls, 300);
          // Over TLS 1.3 a second handshake is a key update.
          assertThatThrownBy(
                  () -> {
                    tls.startHandshake();
                    echo(tls, 300);
                  })
              .isInstanceOf(Exception.class);
        }
        echo(other, 64);
      }
      floor.awaitOpen(1);
      assertThat(floor.metrics.broken()).isEqualTo(4);
    }
    assertThat(said).hasSizeBetween(1, 2).allMatch(text -> text.contains("KeyUpdate") && text.contains("6.14"));
  }

  @Test
  void aBrokenRecordEndsItsConnectionAlone() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES)) {
      clients.breakRecords(floor);
    }
  }

  /** What was received comes back, and then close_notify, which a client of the JDK misses loudly. */
  @Test
  void aStoppedServerEndsEveryConnectionByCloseNotify() throws Exception {
    List<SSLSocket> all = new ArrayList<>();
    try (RunningFloor floor = start(BUFFER_BYTES)) {
      for (int i = 0; i < 20; i++) {
        all.add(clients.shaken(floor.connect(), "TLSv1.3"));
        echo(all.getLast(), 64);
      }
      assertThat(floor.drain()).isZero();
      for (SSLSocket tls : all) {
        assertThat(tls.getInputStream().read()).isEqualTo(-1);
        tls.close();
      }
    }
  }
}
