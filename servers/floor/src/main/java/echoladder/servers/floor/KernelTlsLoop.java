package echoladder.servers.floor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.linux.Errno;
import echoladder.linux.openssl.HandshakeSecrets;
import echoladder.linux.openssl.TrafficKeys;
import echoladder.linux.sockets.KernelTls;
import echoladder.linux.sockets.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Echoes over TLS whose records the kernel makes and reads. OpenSSL shakes hands in memory. Then the kernel gets the keys, OpenSSL's
 * session is freed, and an echo takes one read and one write, as in {@link EchoLoop}. Where the kernel cannot have the keys (TLS 1.2,
 * another cipher), the connection stays as it is in {@link TlsEchoLoop}.
 *
 * <p>Nothing behind the client's Finished may be read before the kernel has the keys. So reads of a handshake end with its records.
 *
 * <p>The kernel keeps at most one record that a full socket did not take, and drops it when the socket is closed. So a connection is
 * closed only when its socket takes more, behind close_notify.
 */
final class KernelTlsLoop extends TlsEchoLoop {
  private static final int KEY_AT = TrafficKeys.SECRET_BYTES;
  private static final int KEY_AND_IV_BYTES = TrafficKeys.KEY_BYTES + TrafficKeys.IV_BYTES;
  private static final int KEY_UPDATE = 24;

  private final KernelTls kernel;
  private final TrafficKeys derived = new TrafficKeys(Arena.ofAuto());
  // A secret, and behind it its key and IV.
  private final MemorySegment secret = Arena.ofAuto().allocate(KEY_AT + KEY_AND_IV_BYTES, 8);
  private final Consumer<String> log;

  // By descriptor: whose records are the kernel's; of these, which are to end, and which have said so.
  private final BitSet kernels = new BitSet();
  private final BitSet ending = new BitSet();
  private final BitSet saidEnd = new BitSet();
  private final Echoes echoes = new Echoes(this);
  // Each is told once, as any number of clients may give reason to.
  private final Set<String> told = new HashSet<>();

  /**
   * A loop that has not begun.
   *
   * @param log takes what users have to know, at most a few sentences
   */
  KernelTlsLoop(LoopSetup setup, OpenSslContext context, Consumer<String> log) {
    super(setup, context);
    kernel = new KernelTls(sys);
    this.log = log;
  }

  @Override
  void readable(int fd, int mask) {
    if (kernels.get(fd)) {
      echo(fd, mask);
    } else {
      super.readable(fd, mask);
    }
  }

  /** Now, as the kernel refuses it once the client has ended its side. Who has ended by now has not shaken hands. */
  @Override
  void begun(TlsConnection c) {
    c.keepSecrets();
    int _ = kernel.attach(c.fd);
  }

  /** Shakes hands record by record, and gives the connection to the kernel. */
  @Override
  void read(TlsConnection c, int mask) {
    while (!c.open()) {
      int n = sys.read(c.fd, buffer, Math.min(bufferBytes, c.record.bytes()));
      if (n == -Errno.EAGAIN) {
        return;
      }
      if (n < 0) {
        broken(c.fd);
        return;
      }
      if (n == 0) {
        end(c);
        return;
      }
      c.record.read(buffer, n);
      c.came(buffer, n);
      if (!goOn(c)) {
        // It has ended, or its tickets wait for room: then this is called again when there is some.
        return;
      }
    }
    HandshakeSecrets secrets = c.keysOfRecords(at);
    if (secrets == null) {
      super.read(c, mask);
    } else {
      handOver(c.fd, secrets, c.sealedRecords());
    }
  }

  private void handOver(int fd, HandshakeSecrets secrets, int sealedRecords) {
    int r = kernel.seal(fd, keyAndIv(secrets.server()), sealedRecords);
    if (r >= 0) {
      r = kernel.open(fd, keyAndIv(secrets.client()), 0);
    }
    if (r < 0) {
      tell(
          "--tls-engine kernel: setsockopt(SOL_TLS) of a connection failed with " + Errno.name(r) + ", so the connection is ended. Further"
              + " ones are not told of");
      broken(fd);
      return;
    }
    super.forget(fd);
    kernels.set(fd);
    // Tells of what has come by now.
    rearm(fd, READING, fd);
  }

  private MemorySegment keyAndIv(byte[] of) {
    MemorySegment.copy(of, 0, secret, JAVA_BYTE, 0, TrafficKeys.SECRET_BYTES);
    long address = secret.address();
    derived.key(address, address + KEY_AT);
    derived.iv(address, address + KEY_AT + TrafficKeys.KEY_BYTES);
    return secret.asSlice(KEY_AT, KEY_AND_IV_BYTES);
  }

  /** As {@link EchoLoop} does it, but for the end. The kernel tells of each whole record by an event, and of no part of one. */
  private void echo(int fd, int mask) {
    int n = echoes.echo(fd, mask);
    while (n == -Errno.EIO && takesOther(fd)) {
      n = echoes.echo(fd, mask);
    }
    if (n == 0) {
      sayEnd(fd);
    } else if (n < 0 && n != -Errno.EAGAIN && n != -Errno.EIO) {
      unreadable(fd, n);
    }
  }

  /** Takes a record that is no application data; gives whether reading may go on. */
  private boolean takesOther(int fd) {
    int n = kernel.readOther(fd);
    if (n == 2 && kernel.type() == KernelTls.ALERT) {
      switch (kernel.content(1)) {
        case KernelTls.CLOSE_NOTIFY -> sayEnd(fd);
        // RFC 8446, 6.1: close_notify follows.
        case KernelTls.USER_CANCELED -> {
          return true;
        }
        default -> broken(fd);
      }
      return false;
    }
    if (n > 0 && kernel.type() == KernelTls.HANDSHAKE && kernel.content(0) == KEY_UPDATE) {
      tell(
          "--tls-engine kernel: a client has changed its keys (KeyUpdate, RFC 8446, 4.6.3), which kernels before 6.14 cannot follow; its"
              + " connection is ended by an alert. Further ones are not told of. --tls-engine openssl follows");
      fail(fd, KernelTls.INTERNAL_ERROR);
    } else {
      fail(fd, KernelTls.UNEXPECTED_MESSAGE);
    }
    return false;
  }

  private void tell(String sentence) {
    if (told.add(sentence)) {
      log.accept(sentence);
    }
  }

  /** The kernel could not read a record, and has told the socket's error twice: as the result and for the next call. */
  private void unreadable(int fd, int result) {
    switch (result) {
      case -Errno.EBADMSG -> fail(fd, KernelTls.BAD_RECORD_MAC);
      case -Errno.EMSGSIZE -> fail(fd, KernelTls.RECORD_OVERFLOW);
      default -> broken(fd);
    }
  }

  /** The connection cannot go on; the alert that says why is sent where the socket takes it. */
  private void fail(int fd, int description) {
    // Takes the error away, which would be that of the alert.
    int _ = sys.option(fd, SystemCalls.SOL_SOCKET, SystemCalls.SO_ERROR);
    int _ = kernel.alert(fd, KernelTls.FATAL, description);
    broken(fd);
  }

  /** The peer ends, or the server stops: it has what it is owed, and gets close_notify. */
  private void sayEnd(int fd) {
    int n = kernel.alert(fd, KernelTls.WARNING, KernelTls.CLOSE_NOTIFY);
    if (n < 0 && n != -Errno.EAGAIN) {
      broken(fd);
      return;
    }
    ending.set(fd);
    saidEnd.set(fd, n >= 0);
    rearm(fd, PARKED, ~fd);
  }

  @Override
  void writable(int fd) {
    if (saidEnd.get(fd)) {
      close(fd);
      return;
    }
    if (ending.get(fd)) {
      sayEnd(fd);
      return;
    }
    echoes.writable(fd);
  }

  @Override
  void forget(int fd) {
    kernels.clear(fd);
    ending.clear(fd);
    saidEnd.clear(fd);
    echoes.forget(fd);
    super.forget(fd);
  }
}
