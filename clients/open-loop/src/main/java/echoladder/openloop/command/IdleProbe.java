package echoladder.openloop.command;

import com.fasterxml.jackson.annotation.JsonValue;
import echoladder.client.Target;
import echoladder.linux.ErrorText;
import echoladder.linux.sockets.SocketAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Finds after how long something on the way to an echo server forgets a quiet connection: one connection for each idle
 * time, all at once. Each gets one echo, is silent for its time, without TCP keepalive, and is asked for one echo more.
 *
 * @param target an echo server over plain TCP
 * @param idle the idle times, each from 1 ms to {@link #LONGEST}, at most {@link #MOST}
 * @param patience for how long a connect and an answer are waited for
 */
record IdleProbe(Target target, List<Duration> idle, Duration patience) {
  static final Duration LONGEST = Duration.ofHours(24);
  static final int MOST = 64;

  /** A little beyond the time-outs that load balancers, NAT and proxies have by default: see runbooks/outside/idle-timeouts.md. */
  static final String USUAL = "10s,30s,70s,130s,250s,360s,610s";

  private static final int MESSAGE_BYTES = 16;

  IdleProbe {
    idle = idle.stream().sorted().distinct().toList();
    boolean outside = idle.stream().anyMatch(time -> time.toMillis() < 1 || time.compareTo(LONGEST) > 0);
    if (idle.isEmpty() || idle.size() > MOST || outside) {
      throw new IllegalArgumentException("--idle-probe: 1 to %d idle times of 1ms to 24h each, e.g. %s".formatted(MOST, USUAL));
    }
  }

  /** How a connection ended. */
  enum Ending {
    SURVIVED("survived"),
    /** FIN while it was idle, or in place of the answer. */
    CLOSED("closed"),
    RESET("reset"),
    /** The message was sent and nothing came back, no reset either. */
    SILENT("no answer"),
    /** What came is not what was sent, or came unasked. */
    NO_ECHO("no echo"),
    /** There was no connection, or no echo even before the silence. */
    NEVER_ALIVE("never alive");

    private final String words;

    Ending(String words) {
      this.words = words;
    }

    /** As in results. */
    @JsonValue
    String words() {
      return words;
    }
  }

  /**
   * What became of one connection.
   *
   * @param idleS how long it should be silent, in seconds
   * @param ending how it ended
   * @param afterS seconds of silence until its end was seen, or until it was asked
   * @param detail what the system said; null where it said nothing
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record Fate(double idleS, Ending ending, double afterS, @Nullable String detail) {}

  /**
   * What became of all, and between which times the time-out lies.
   *
   * @param target HOST:PORT
   * @param connections the shortest idle time first
   * @param survivedS the longest time below the first death that was survived, in seconds; null = none
   * @param diedS the shortest time that was not; null = all survived
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record Found(String target, List<Fate> connections, @Nullable Double survivedS, @Nullable Double diedS) {
    static Found of(Target target, List<Fate> fates) {
      Double died = fates.stream().filter(fate -> fate.ending != Ending.SURVIVED).map(Fate::idleS).min(Double::compare).orElse(null);
      Double survived =
          fates.stream()
              .filter(fate -> fate.ending == Ending.SURVIVED && (died == null || fate.idleS < died))
              .map(Fate::idleS)
              .max(Double::compare)
              .orElse(null);
      return new Found(target.toString(), List.copyOf(fates), survived, died);
    }

    /** Whether there was an echo server at all. */
    boolean reached() {
      return connections.stream().anyMatch(fate -> fate.ending != Ending.NEVER_ALIVE);
    }

    /** What follows, for people. */
    String answer() {
      if (!reached()) {
        Fate first = connections.getFirst();
        return "no connection to %s had an echo: %s; the probe needs an echo server over plain TCP there, e.g. ./ladder serve go-echo"
            .formatted(target, first.detail == null ? "nothing came back" : first.detail);
      }
      if (diedS == null) {
        return "all survived: nothing on the way forgets a connection within %s s".formatted(seconds(connections.getLast().idleS));
      }
      String where =
          survivedS == null ? "below %s s".formatted(seconds(diedS)) : "between %s and %s s".formatted(seconds(survivedS), seconds(diedS));
      return "the idle time-out lies " + where + "; send keepalives more often, or lengthen it: see runbooks/outside/idle-timeouts.md";
    }
  }

  static String seconds(double value) {
    return value == Math.rint(value) ? "%,d".formatted((long) value) : "%,.3f".formatted(value);
  }

  /**
   * Runs it; takes the longest idle time, and up to three times the patience.
   *
   * @param each is told of each connection when it has ended, from several threads
   * @throws IOException where the name of the target has no IPv4 address
   */
  Found run(Consumer<Fate> each) throws IOException, InterruptedException {
    SocketAddress resolved = SocketAddress.of(target.host(), target.port());
    byte[] bits = ByteBuffer.allocate(4).putInt(resolved.hostBits()).array();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(bits), target.port());
    List<Future<Fate>> running = new ArrayList<>();
    List<Fate> fates = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < idle.size(); i++) {
        Duration time = idle.get(i);
        byte[] message = ByteBuffer.allocate(MESSAGE_BYTES).putLong(time.toNanos()).putLong(i).array();
        Callable<Fate> one =
            () -> {
              Fate fate = one(address, time, message);
              each.accept(fate);
              return fate;
            };
        running.add(threads.submit(one));
      }
      for (Future<Fate> future : running) {
        fates.add(future.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the probe of " + target + " failed: " + ErrorText.of(e), e);
    }
    return Found.of(target, fates);
  }

  private Fate one(InetSocketAddress address, Duration time, byte[] message) {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(false);
      socket.connect(address, (int) patience.toMillis());
      Ending first = echo(socket, message);
      return first == Ending.SURVIVED
          ? silent(socket, time, message)
          : fate(time, Ending.NEVER_ALIVE, 0, "the first message: " + first.words());
    } catch (IOException e) {
      return fate(time, Ending.NEVER_ALIVE, 0, e.getMessage());
    }
  }

  private Fate silent(Socket socket, Duration time, byte[] message) {
    long fromNs = System.nanoTime();
    try {
      // Reading shows an end in the moment in which it comes.
      socket.setSoTimeout((int) time.toMillis());
      return socket.getInputStream().read() < 0
          ? fate(time, Ending.CLOSED, since(fromNs), null)
          : fate(time, Ending.NO_ECHO, since(fromNs), "a byte came while nothing had been asked");
    } catch (SocketTimeoutException e) {
      return asked(socket, time, message, since(fromNs));
    } catch (IOException e) {
      return fate(time, Ending.RESET, since(fromNs), e.getMessage());
    }
  }

  private Fate asked(Socket socket, Duration time, byte[] message, double silentS) {
    try {
      return fate(time, echo(socket, message), silentS, null);
    } catch (IOException e) {
      return fate(time, Ending.RESET, silentS, e.getMessage());
    }
  }

  private static Fate fate(Duration time, Ending ending, double afterS, @Nullable String detail) {
    return new Fate(time.toNanos() / 1e9, ending, afterS, detail);
  }

  private static double since(long fromNs) {
    return (System.nanoTime() - fromNs) / 1e9;
  }

  /** Sends the message and reads as many bytes; a reset is an exception. */
  private Ending echo(Socket socket, byte[] message) throws IOException {
    long untilNs = System.nanoTime() + patience.toNanos();
    socket.getOutputStream().write(message);
    byte[] back = new byte[message.length];
    InputStream in = socket.getInputStream();
    int n = 0;
    try {
      while (n < back.length) {
        socket.setSoTimeout((int) Math.max(1, (untilNs - System.nanoTime()) / 1_000_000));
        int read = in.read(back, n, back.length - n);
        if (read < 0) {
          return Ending.CLOSED;
        }
        n += read;
      }
    } catch (SocketTimeoutException e) {
      return Ending.SILENT;
    } catch (SocketException e) {
      if (String.valueOf(e.getMessage()).contains("timed out")) {
        // The kernel gave up sending: nobody answers, not even with a reset.
        return Ending.SILENT;
      }
      throw e;
    }
    return Arrays.equals(back, message) ? Ending.SURVIVED : Ending.NO_ECHO;
  }
}
