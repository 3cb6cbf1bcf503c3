package echoladder.harness.host;

import echoladder.openloop.HostLostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Questions to a host that it has not answered yet: once it is lost, each of them fails. Any thread. */
final class OpenQuestions {
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<HostLine>> asked = new ConcurrentHashMap<>();
  private final List<Runnable> onLost = new CopyOnWriteArrayList<>();
  private volatile @Nullable String lost;

  record Question(long id, CompletableFuture<HostLine> answer) {}

  /** One that is about to be asked. */
  Question next() throws HostLostException {
    Question question = new Question(ids.incrementAndGet(), new CompletableFuture<>());
    asked.put(question.id, question.answer);
    String why = lost;
    if (why != null) {
      asked.remove(question.id);
      throw new HostLostException(why);
    }
    return question;
  }

  void answer(HostLine line) {
    CompletableFuture<HostLine> waiting = asked.remove(line.id());
    if (waiting != null) {
      waiting.complete(line);
    }
  }

  /** The first reason counts. */
  void lose(String why) {
    synchronized (asked) {
      if (lost != null) {
        return;
      }
      lost = why;
    }
    HostLostException e = new HostLostException(why);
    asked.values().forEach(waiting -> waiting.completeExceptionally(e));
    asked.clear();
    onLost.forEach(Runnable::run);
  }

  /** Why the host is lost; null while it is there. */
  @Nullable String lost() {
    return lost;
  }

  /** As {@link HostLink#onLost} says. */
  void onLost(Runnable action) {
    onLost.add(action);
    if (lost != null) {
      action.run();
    }
  }

  void forget(Runnable action) {
    onLost.remove(action);
  }
}
