package echoladder.servers.floor;

import static echoladder.servers.floor.TlsClients.BUFFER_BYTES;
import static echoladder.servers.floor.TlsClients.RECORD_BYTES;
import static echoladder.servers.floor.TlsClients.THREADS;
import static echoladder.servers.floor.TlsClients.awaitStuck;
import static echoladder.servers.floor.TlsClients.echo;
import static echoladder.servers.floor.TlsClients.readAll;
import static echoladder.servers.floor.TlsClients.writeUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.linux.sockets.KernelTls;
import echoladder.servers.kit.options.CannotRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What TLS in memory could get wrong beside an edge-triggered loop: records cut anywhere, a full socket, new keys, and errors that OpenSSL
 * keeps for each thread. The contract suite covers the rest.
 */
@Timeout(60)
class TlsEchoLoopTest {
  private static TlsClients clients;
  private static OpenSslContext context;

  @BeforeAll
  static void certificate(@TempDir Path dir) throws IOException {
    clients = new TlsClients(dir);
    context = OpenSslContext.of(clients.options, TlsEngine.OPENSSL);
  }

  private static RunningFloor start(int bufferBytes) throws IOException {
    return new RunningFloor(bufferBytes, setup -> new TlsEchoLoop(setup, context));
  }

  @ParameterizedTest
  @CsvSource({"1, TLSv1.3", "1, TLSv1.2", "100, TLSv1.3", "65536, TLSv1.3", "65536, TLSv1.2"})
  void echoesHoweverTheRecordsAreCut(int bufferBytes, String version) throws Exception {
    try (RunningFloor floor = start(bufferBytes)) {
      long bytes = 0;
      try (SSLSocket tls = clients.shaken(floor.connect(), version)) {
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
        SSLSocket tls = clients.shaken(floor.connect(RECORD_BYTES), "TLSv1.3")) {
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

  @Test
  void followsKeyUpdatesAndAnswersThem() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES);
        SSLSocket tls = clients.shaken(floor.connect(), "TLSv1.3")) {
      for (int i = 0; i < 5; i++) {
        echo(tls, 300);
        // Over TLS 1.3 a second handshake is a key update, which asks for one of the server's.
        tls.startHandshake();
        echo(tls, 20_000);
      }
    }
  }

  @Test
  void aBrokenRecordEndsItsConnectionAlone() throws Exception {
    try (RunningFloor floor = start(BUFFER_BYTES)) {
      clients.breakRecords(floor);
    }
  }

  /** Nothing falls back in silence. */
  @Test
  void recordsByTheKernelAreRefusedOnAKernelWithoutThem() {
    if (KernelTls.missing() == null) {
      assertThatCode(() -> OpenSslContext.of(clients.options, TlsEngine.KERNEL)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> OpenSslContext.of(clients.options, TlsEngine.KERNEL))
          .isInstanceOf(CannotRun.class)
          .hasMessageStartingWith("--tls-engine kernel: this kernel makes no TLS records")
          .hasMessageContaining("modprobe -a tls gcm")
          .hasMessageEndingWith("--tls-engine openssl needs none");
    }
  }
}
