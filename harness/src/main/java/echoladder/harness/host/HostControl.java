package echoladder.harness.host;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import echoladder.linux.output.BoundedLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The control process of a host: answers what the process that runs a study asks on stdin, and starts servers and client processes
 * for it. It ends with its stdin, when its answers reach nobody, when nobody has asked for {@link #SILENT_MOST}, as a connection that
 * was cut does not end by itself, and when its host's disk is full; and with it ends all that it has started. It listens nowhere.
 */
public final class HostControl {
  /** Who runs a study asks for the clock every two seconds. */
  static final Duration SILENT_MOST = Duration.ofSeconds(20);

  private static final Duration LOOK_EACH = Duration.ofSeconds(1);

  private final OutputStream out;
  private final LongSupplier clock;
  private final HostWork work;
  private final AtomicLong heardNs = new AtomicLong(System.nanoTime());
  private volatile @Nullable String broken;
  private final ExecutorService workers =
      Executors.newCachedThreadPool(task -> Thread.ofPlatform().daemon().name("host-work").unstarted(task));

  private HostControl(Checkout checkout, OutputStream out, LongSupplier clock) throws IOException {
    this.out = out;
    this.clock = clock;
    this.work = new HostWork(checkout, how -> say(HostLine.answer(0, new HostReplies.Said(how))));
  }

  /**
   * Answers until stdin ends, with the exit status.
   *
   * @param in questions
   * @param out takes the answers and nothing else
   */
  public static int serve(Checkout checkout, InputStream in, OutputStream out) throws IOException {
    return serve(checkout, in, out, System::nanoTime);
  }

  /** Answers until stdin ends, by another clock, in ns. */
  static int serve(Checkout checkout, InputStream in, OutputStream out, LongSupplier clock) throws IOException {
    HostControl control = new HostControl(checkout, out, clock);
    // By SIGTERM too nothing is left.
    Thread end = new Thread(control.work::close);
    Runtime.getRuntime().addShutdownHook(end);
    Thread watch = Thread.ofPlatform().daemon().name("silence").start(control::watch);
    try {
      return control.serve(in);
    } finally {
      watch.interrupt();
      control.workers.shutdown();
      forget(end);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM ends already, and the hook runs.
      return;
    }
  }

  private int serve(InputStream in) throws IOException {
    try (work) {
      BoundedLines lines = new BoundedLines(in, HostLine.QUESTION_MOST_BYTES);
      for (BoundedLines.Line line = lines.next(); line != null; line = lines.next()) {
        heardNs.set(System.nanoTime());
        HostLine question;
        try {
          if (!line.whole()) {
            throw new IllegalArgumentException("it has over %,d bytes, the bound".formatted(HostLine.QUESTION_MOST_BYTES));
          }
          question = HostLine.parse(line.text());
        } catch (IllegalArgumentException e) {
          System.err.println("ladder: a line on stdin is no question: " + e.getMessage());
          return Refusal.BAD_USAGE;
        }
        if (question.op() == HostOp.PING) {
          // By this thread: a clock that waits for a worker is a worse one.
          say(HostLine.answer(question.id(), new HostReplies.Clock(clock.getAsLong())));
        } else {
          workers.execute(() -> say(answer(question)));
        }
        if (broken != null) {
          System.err.println("ladder: " + broken);
          return Refusal.CANNOT_RUN;
        }
      }
      return 0;
    }
  }

  private HostLine answer(HostLine question) {
    HostOp op = question.op();
    if (op == null) {
      return HostLine.failed(question.id(), "a question without what is asked");
    }
    try {
      return HostLine.answer(question.id(), work.answer(op, question));
    } catch (JacksonException e) {
      return HostLine.failed(question.id(), op + ": " + e.getOriginalMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return HostLine.failed(question.id(), op + " was interrupted");
    } catch (Exception e) {
      return HostLine.failed(question.id(), ErrorText.of(e));
    }
  }

  private void say(@Nullable HostLine line) {
    if (line == null) {
      return;
    }
    try {
      synchronized (out) {
        out.write(line.text().getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException e) {
      // It may be asked on all the same, and the next question then ends it: who waits for the answers would wait for ever.
      broken = "its answers reach nobody: stdout broke: " + e.getMessage();
    }
  }

  private void watch() {
    String why = "nobody has asked for " + SILENT_MOST.toSeconds() + " s: the connection is taken for cut";
    try {
      while (System.nanoTime() - heardNs.get() < SILENT_MOST.toNanos()) {
        work.checkDisk();
        Thread.sleep(LOOK_EACH);
      }
    } catch (InterruptedException e) {
      return;
    } catch (IOException e) {
      why = e.getMessage() + "; what its server says would be lost; see runbooks/symptoms/host-lost.md";
    }
    System.err.println("ladder: " + why);
    work.close();
    Runtime.getRuntime().halt(Refusal.CANNOT_RUN);
  }
}
