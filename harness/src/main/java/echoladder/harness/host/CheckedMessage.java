package echoladder.harness.host;

import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The one message that the harness itself publishes before a load where messages are text: how it is posted, and what has to come. */
final class CheckedMessage {
  /** A topic that no load uses, so that a server which forgets nobody does not spoil the load's count. */
  static final int TOPIC = Integer.MAX_VALUE;

  static final String WORDS = "echo-ladder_one-two-three";

  /** How long each answer may take. */
  static final Duration BOUND = Duration.ofSeconds(10);

  private static final int MOST_SHOWN = 60;

  private CheckedMessage() {}

  /** Takes a client that is closed behind it. */
  interface Talk {
    void with(HttpClient client) throws IOException, InterruptedException;
  }

  /** Has a client over HTTP/1.1 talk from that address; null = the kernel's choice. */
  static void talk(@Nullable String source, Talk talk) throws IOException {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(BOUND).proxy(HttpClient.Builder.NO_PROXY);
    if (source != null) {
      builder.localAddress(InetAddress.ofLiteral(source));
    }
    HttpClient client = builder.build();
    try {
      talk.with(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      client.shutdownNow();
    }
  }

  static HttpRequest.Builder request(Target target, String path) throws IOException {
    String uri = "http://" + target + path;
    try {
      return HttpRequest.newBuilder(URI.create(uri)).timeout(BOUND);
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + uri + "' is no address: " + e.getMessage(), e);
    }
  }

  /**
   * Posts the message.
   *
   * @throws IOException that says what was wrong with the answer
   */
  static void post(HttpClient client, PushPaths paths, Target target) throws IOException, InterruptedException {
    String publish = paths.publishPath(TOPIC);
    HttpResponse<String> answer = posted(client, publish, target);
    if (answer.statusCode() / 100 != 2) {
      throw new IOException("POST %s is answered by status %d; 200 is right".formatted(publish, answer.statusCode()));
    }
    if (answer.body().strip().equals("0")) {
      throw new IOException("POST %s is answered by 0, as if nobody had subscribed".formatted(publish));
    }
  }

  /** The whole answer to the message. The bound of a request is over with the head of its answer. */
  private static HttpResponse<String> posted(HttpClient client, String publish, Target target) throws IOException, InterruptedException {
    HttpRequest request =
        request(target, publish).header("Content-Type", "text/plain; charset=utf-8")
            .POST(HttpRequest.BodyPublishers.ofString(WORDS)).build();
    try {
      return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("POST %s had no whole answer within %d s, the bound".formatted(publish, BOUND.toSeconds()), e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed
          ? failed
          : new IOException("POST %s failed: %s".formatted(publish, ErrorText.of(e)), e);
    }
  }

  /**
   * Compares what came first with the message.
   *
   * @param what it came as, as in "event"
   * @param advice what to do where it is another
   * @throws IOException where it is another
   */
  static void compare(String got, String what, String advice) throws IOException {
    if (!got.equals(WORDS)) {
      throw new IOException(
          "'%s' was published and the first %s has '%s'; %s"
              .formatted(WORDS, what, got.length() > MOST_SHOWN ? got.substring(0, MOST_SHOWN) + "..." : got, advice));
    }
  }
}
