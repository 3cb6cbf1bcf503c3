package echoladder.harness.host;

import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.linux.ErrorText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber and one message by the harness itself, to a server that is to push over HTTP, before any load: the message has to come
 * back as the first event of the stream.
 */
final class EventStreamCheck {
  /** A topic that no load uses, so that a server which forgets nobody does not spoil the load's count. */
  private static final int TOPIC = Integer.MAX_VALUE;

  private static final String WORDS = "echo-ladder_one-two-three";
  private static final String STREAM = "text/event-stream";

  /** RFC 9110, 8.3.1: a type has no case, and parameters may follow. */
  private static final Pattern TYPE = Pattern.compile("(?i)[ \\t]*" + STREAM + "[ \\t]*(;.*)?");

  private static final int MOST_SHOWN = 60;
  private static final Duration BOUND = Duration.ofSeconds(10);

  private EventStreamCheck() {}

  /** Throws an {@link IOException} that says what was wrong; the parameters are those of {@link PushCheck#of}. */
  static void of(PushPaths paths, Target target, @Nullable String source) throws IOException {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(BOUND).proxy(HttpClient.Builder.NO_PROXY);
    if (source != null) {
      builder.localAddress(InetAddress.ofLiteral(source));
    }
    HttpClient client = builder.build();
    try {
      talk(client, paths, "http://" + target);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      client.shutdownNow();
    }
  }

  private static HttpRequest.Builder request(String uri) throws IOException {
    try {
      return HttpRequest.newBuilder(URI.create(uri)).timeout(BOUND);
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + uri + "' is no address: " + e.getMessage(), e);
    }
  }

  private static void talk(HttpClient client, PushPaths paths, String server) throws IOException, InterruptedException {
    String subscribe = paths.subscribePath(TOPIC);
    String publish = paths.publishPath(TOPIC);
    HttpResponse<InputStream> stream =
        client.send(request(server + subscribe).header("Accept", STREAM).build(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = stream.body()) {
      String type = stream.headers().firstValue("Content-Type").orElse("none");
      if (stream.statusCode() != 200 || !TYPE.matcher(type).matches()) {
        throw new IOException(
            "GET %s is answered by status %d and content-type %s; 200 and %s are right"
                .formatted(subscribe, stream.statusCode(), type, STREAM));
      }
      CompletableFuture<String> first = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> read(in, first));
      HttpResponse<String> answer = posted(client, publish, server);
      if (answer.statusCode() / 100 != 2) {
        throw new IOException("POST %s is answered by status %d; 200 is right".formatted(publish, answer.statusCode()));
      }
      if (answer.body().strip().equals("0")) {
        throw new IOException("POST %s is answered by 0, as if nobody had subscribed".formatted(publish));
      }
      String got = first.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
      if (!got.equals(WORDS)) {
        throw new IOException(
            "'%s' was published and the first event has '%s'; what is no message needs an event type of its own"
                .formatted(WORDS, got.length() > MOST_SHOWN ? got.substring(0, MOST_SHOWN) + "..." : got));
      }
    } catch (TimeoutException e) {
      throw new IOException("a message was published and no event came within %d s, the bound".formatted(BOUND.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new IOException("the event stream ended before its first event: " + ErrorText.of(e), e);
    }
  }

  /** The whole answer to the message. The bound of a request is over with the head of its answer. */
  private static HttpResponse<String> posted(HttpClient client, String publish, String server) throws IOException, InterruptedException {
    HttpRequest request =
        request(server + publish).header("Content-Type", "text/plain; charset=utf-8")
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

  /** The data of the first event that is a message. */
  private static void read(InputStream in, CompletableFuture<String> first) {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      String data = null;
      boolean other = false;
      for (String line; (line = lines.readLine()) != null; ) {
        if (line.isEmpty() && data != null && !other) {
          first.complete(data);
          return;
        } else if (line.isEmpty()) {
          data = null;
          other = false;
        } else if (line.startsWith("data:")) {
          data = (data == null ? "" : data + "\n") + value(line, "data:");
        } else if (line.startsWith("event:")) {
          other = !value(line, "event:").equals("message");
        }
      }
      first.completeExceptionally(new IOException("the server ended it"));
    } catch (IOException | UncheckedIOException e) {
      first.completeExceptionally(e);
    }
  }

  private static String value(String line, String field) {
    int blank = line.startsWith(" ", field.length()) ? 1 : 0;
    return line.substring(field.length() + blank);
  }
}
