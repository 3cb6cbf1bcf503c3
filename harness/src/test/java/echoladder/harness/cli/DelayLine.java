package echoladder.harness.cli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import echoladder.linux.sockets.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Random;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * Two TUN devices between which packets go: each 5 ms late, in their order, and one of 200 not at all. What netem does,
 * for kernels that are built without it.
 */
final class DelayLine implements AutoCloseable {
  private static final long DELAY_NS = 5_000_000;
  private static final double LOSS = 0.005;
  private static final int O_RDWR = 2;
  private static final long TUNSETIFF = 0x400454caL;
  private static final short IFF_TUN_NO_PI = 0x1001;
  private static final int IFREQ_BYTES = 40;
  private static final int MOST_BYTES = 65_536;

  private static final MethodHandle OPEN =
      call(Linker.Option.firstVariadicArg(2), "open", ADDRESS, JAVA_INT);
  private static final MethodHandle IOCTL =
      call(Linker.Option.firstVariadicArg(2), "ioctl", JAVA_INT, JAVA_LONG, ADDRESS);

  private final int client;
  private final int server;
  private volatile boolean closed;

  private DelayLine(int client, int server) {
    this.client = client;
    this.server = server;
  }

  private static MethodHandle call(Linker.Option option, String name, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, arguments), option);
  }

  /** Makes the devices, of those names, in this network namespace; they may be moved to others. */
  static DelayLine open(String client, String server) throws IOException {
    DelayLine line = new DelayLine(device(client), device(server));
    line.carry(line.client, line.server, 1);
    line.carry(line.server, line.client, 2);
    return line;
  }

  private static int device(String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int fd = (int) OPEN.invokeExact(arena.allocateFrom("/dev/net/tun"), O_RDWR);
      if (fd < 0) {
        throw new IOException("/dev/net/tun cannot be opened");
      }
      MemorySegment request = arena.allocate(IFREQ_BYTES);
      request.setString(0, name);
      request.set(JAVA_SHORT, 16, IFF_TUN_NO_PI);
      if ((int) IOCTL.invokeExact(fd, TUNSETIFF, request) < 0) {
        throw new IOException("TUNSETIFF was refused");
      }
      return fd;
    } catch (IOException e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError("system call binding is broken", t);
    }
  }

  private void carry(int from, int to, long seed) {
    DelayQueue<Packet> late = new DelayQueue<>();
    Random random = new Random(seed);
    Thread.ofPlatform().daemon().name("delay-line-in").start(() -> {
      SystemCalls calls = new SystemCalls();
      MemorySegment buffer = Arena.ofAuto().allocate(MOST_BYTES);
      while (!closed) {
        int n = calls.read(from, buffer, MOST_BYTES);
        if (n > 0 && random.nextDouble() >= LOSS) {
          MemorySegment bytes = Arena.ofAuto().allocate(n).copyFrom(buffer.asSlice(0, n));
          late.add(new Packet(System.nanoTime() + DELAY_NS, bytes));
        } else if (n < 0 && !closed) {
          pause();
        }
      }
    });
    Thread.ofPlatform().daemon().name("delay-line-out").start(() -> {
      SystemCalls calls = new SystemCalls();
      while (!closed) {
        try {
          Packet packet = late.poll(100, TimeUnit.MILLISECONDS);
          if (packet != null) {
            // A device that is down refuses it, as a cut wire would lose it.
            int _ = calls.write(to, packet.bytes, (int) packet.bytes.byteSize());
          }
        } catch (InterruptedException e) {
          return;
        }
      }
    });
  }

  /** A device that is not up yet gives an error at once. */
  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Packet(long dueNs, MemorySegment bytes) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(dueNs, ((Packet) other).dueNs);
    }
  }

  /** The devices go when their namespaces do; a reader that waits is woken by that. */
  @Override
  public void close() {
    closed = true;
    SystemCalls calls = new SystemCalls();
    calls.close(client);
    calls.close(server);
  }
}
