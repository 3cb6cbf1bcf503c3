package echoladder.harness.host;

import echoladder.linux.ErrorText;
import echoladder.linux.output.BoundedLines;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import echoladder.openloop.HostLostException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The line to the control process of one host: questions and answers of any thread, as JSON lines over the stdin and stdout of an
 * ssh. A host is lost when that ends, when it says something else than an answer, or when it leaves a question for its clock
 * unanswered for {@link #SILENT_MOST}; from then on every question fails at once, by its name.
 */
public final class HostLink implements AutoCloseable {
  /** A process that stands still, or whose network is cut, is lost after this long. */
  static final Duration SILENT_MOST = Duration.ofSeconds(10);

  private static final Duration BEAT = Duration.ofSeconds(2);
  private static final Duration END_BOUND = Duration.ofSeconds(20);
  private static final int SHOWN = 200;

  private final String host;
  private final ChildProcess process;
  private final HeadAndTail said;
  private final OpenQuestions questions = new OpenQuestions();
  private final Object writing = new Object();
  private final CountDownLatch made = new CountDownLatch(1);
  private volatile @Nullable CompletableFuture<HostLine> hello;
  private volatile Runnable onServerEnd = () -> {};
  private volatile boolean closing;
  private volatile ClockOffset clock = new ClockOffset(0, 0);

  private HostLink(String host, ProcessBuilder builder) throws IOException {
    this.host = host;
    this.said = HeadAndTail.log(OutputStream.nullOutputStream());
    this.process = ChildProcess.start(builder, this::answers, said);
    made.countDown();
  }

  /**
   * Starts a control process and the thread that sees whether it answers.
   *
   * @param host as messages name it
   * @param command that becomes its control process, or leads to it
   * @throws IOException where that program cannot be started
   */
  static HostLink start(String host, List<String> command) throws IOException {
    HostLink link = new HostLink(host, new ProcessBuilder(command));
    Thread.ofVirtual().name("beat-of-" + host).start(link::beat);
    return link;
  }

  /** Its name in the inventory. */
  public String host() {
    return host;
  }

  /** Why it is lost; null while it is there. */
  public @Nullable String lost() {
    return questions.lost();
  }

  /** Runs when it is lost; at once where it is. */
  void onLost(Runnable action) {
    questions.onLost(action);
  }

  /** Takes that back. */
  void forget(Runnable action) {
    questions.forget(action);
  }

  /** Runs when the server that was started there ends by itself. */
  void onServerEnd(Runnable action) {
    onServerEnd = action;
  }

  /** How the command ended that led there; null while it runs. For messages before the first answer. */
  @Nullable Integer status() {
    return process.status();
  }

  /** The last lines that it said on stderr, in one. */
  String tail() {
    try {
      process.endsWithin(Duration.ofSeconds(1));
      if (!process.alive()) {
        process.drained();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<String> lines = said.tail().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
  }

  private void beat() {
    while (lost() == null && !closing) {
      try {
        CompletableFuture<HostLine> answer = send(HostOp.PING, null);
        answer.get(SILENT_MOST.toMillis(), TimeUnit.MILLISECONDS);
        Thread.sleep(BEAT);
      } catch (TimeoutException e) {
        // Before its first answer it starts, or asks a network that is slow; who asks for that has a bound.
        CompletableFuture<HostLine> first = hello;
        if (first == null || first.isDone()) {
          lose("did not answer for %d s: its control process stands still, or its network is cut".formatted(SILENT_MOST.toSeconds()));
        }
      } catch (InterruptedException | ExecutionException | HostLostException e) {
        return;
      }
    }
  }

  private void answers(InputStream from) throws IOException {
    try {
      made.await();
      BoundedLines lines = new BoundedLines(from, HostLine.ANSWER_MOST_BYTES);
      for (BoundedLines.Line line = lines.next(); line != null; line = lines.next()) {
        if (!line.whole()) {
          lose("gave an answer of over %,d bytes, the bound".formatted(HostLine.ANSWER_MOST_BYTES));
          return;
        }
        take(line.text());
      }
    } catch (IllegalArgumentException e) {
      lose(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // By another thread: what it said at its end is whole when this one has ended too.
      Thread.ofVirtual().start(this::gone);
      from.transferTo(OutputStream.nullOutputStream());
    }
  }

  private void gone() {
    if (lost() == null && !closing) {
      String tail = tail();
      // Of ssh that is its own failure, and no signal.
      Integer status = process.status();
      String how =
          status == null ? "hands on no answers any more, although it still runs"
              : status == 255 ? "ended with exit status 255" : process.ending();
      lose("is gone: its connection " + how + (tail.isEmpty() ? "" : "; it said: " + tail));
    }
  }

  private void take(String text) {
    HostLine line;
    try {
      line = HostLine.parse(text);
    } catch (IllegalArgumentException e) {
      String shown = text.replaceAll("\\p{C}", "?");
      throw new IllegalArgumentException(
          "said something else than an answer, as a login shell does that prints on stdout: "
              + (shown.length() <= SHOWN ? shown : shown.substring(0, SHOWN) + "..."),
          e);
    }
    if (line.id() == 0) {
      onServerEnd.run();
      return;
    }
    questions.answer(line);
  }

  private void lose(String why) {
    questions.lose("host " + host + " " + why);
  }

  private CompletableFuture<HostLine> send(HostOp op, @Nullable Object body) throws HostLostException {
    OpenQuestions.Question question = questions.next();
    CompletableFuture<HostLine> answer = question.answer();
    if (op == HostOp.HELLO) {
      hello = answer;
    }
    byte[] line = HostLine.question(question.id(), op, body).text().getBytes(StandardCharsets.UTF_8);
    try {
      synchronized (writing) {
        process.stdin().write(line);
        process.stdin().flush();
      }
    } catch (IOException e) {
      // What reads its stdout says how it ended.
      answer.completeOnTimeout(HostLine.failed(question.id(), "its connection is broken: " + e.getMessage()), 5, TimeUnit.SECONDS);
    }
    return answer;
  }

  /**
   * Asks and waits.
   *
   * @throws HostLostException where the host is lost before it answers
   * @throws IOException with the host's name, where it answers that it cannot, or not within the bound
   */
  <T extends Record> T ask(HostOp op, @Nullable Object body, Class<T> as, Duration bound) throws IOException {
    return read(line(op, body, bound), op, as);
  }

  /** What an answer says; an {@link IOException} with the host's name where it is something else. */
  <T extends Record> T read(HostLine answer, HostOp op, Class<T> as) throws IOException {
    try {
      return answer.as(as);
    } catch (JacksonException e) {
      throw new IOException("host %s answered something else (%s): %s".formatted(host, op, e.getOriginalMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new IOException("host %s answered something else (%s): %s".formatted(host, op, ErrorText.of(e)), e);
    }
  }

  /** The answer as it came; fails as {@link #ask(HostOp, Object, Class, Duration)} does. */
  HostLine line(HostOp op, @Nullable Object body, Duration bound) throws IOException {
    try {
      HostLine answer = send(op, body).get(bound.toMillis(), TimeUnit.MILLISECONDS);
      if (answer.error() != null) {
        throw new IOException("host " + host + ": " + answer.error());
      }
      return answer;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof HostLostException gone
          ? new HostLostException(String.valueOf(gone.getMessage()), gone)
          : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("host %s did not do it within %d s (%s)".formatted(host, bound.toSeconds(), op), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while host " + host + " was asked", e);
    }
  }

  /** Asks for what takes less than ten seconds. */
  <T extends Record> T ask(HostOp op, @Nullable Object body, Class<T> as) throws IOException {
    return ask(op, body, as, SILENT_MOST.plusSeconds(5));
  }

  /** Compares clocks anew, and gives what was found the last time. */
  ClockOffset compareClocks() throws IOException {
    ClockOffset before = clock;
    List<ClockOffset.RoundTrip> trips = new ArrayList<>();
    for (int i = 0; i < ClockOffset.ROUND_TRIPS; i++) {
      long sent = System.nanoTime();
      long there = ask(HostOp.PING, null, HostReplies.Clock.class).ns();
      trips.add(new ClockOffset.RoundTrip(sent, there, System.nanoTime()));
    }
    clock = ClockOffset.of(trips);
    return before;
  }

  /** Its clock against this one, as compared last. */
  public ClockOffset clock() {
    return clock;
  }

  /** Ends the connection, and with it the control process and all that it started; by force after 20 s. */
  @Override
  public void close() {
    closing = true;
    boolean interrupted = Thread.interrupted();
    try {
      if (lost() == null) {
        process.stdin().close();
        process.endsWithin(END_BOUND);
      }
    } catch (IOException e) {
      // It is gone already.
    } catch (InterruptedException e) {
      interrupted = true;
    }
    process.close();
    said.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
