package echoladder.harness.host;

import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.linux.ErrorText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
  private static final String STREAM = "text/event-stream";

  /** RFC 9110, 8.3.1: a type has no case, and parameters may follow. */
  private static final Pattern TYPE = Pattern.compile("(?i)[ \\t]*" + STREAM + "[ \\t]*(;.*)?");

  private EventStreamCheck() {}

  /** Throws an {@link IOException} that says what was wrong; the parameters are those of {@link PushCheck#of}. */
  static void of(PushPaths paths, Target target, @Nullable String source) throws IOException {
    CheckedMessage.talk(source, client -> talk(client, paths, target));
  }

  private static void talk(HttpClient client, PushPaths paths, Target target) throws IOException, InterruptedException {
    String subscribe = paths.subscribePath(CheckedMessage.TOPIC);
    HttpResponse<InputStream> stream =
        client.send(CheckedMessage.request(target, subscribe).header("Accept", STREAM).build(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = stream.body()) {
      String type = stream.headers().firstValue("Content-Type").orElse("none");
      if (stream.statusCode() != 200 || !TYPE.matcher(type).matches()) {
        throw new IOException(
            "GET %s is answered by status %d and content-type %s; 200 and %s are right"
                .formatted(subscribe, stream.statusCode(), type, STREAM));
      }
      CompletableFuture<String> first = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> read(in, first));
      CheckedMessage.post(client, paths, target);
      String got = first.get(CheckedMessage.BOUND.toMillis(), TimeUnit.MILLISECONDS);
      CheckedMessage.compare(got, "event", "what is no message needs an event type of its own");
    } catch (TimeoutException e) {
      throw new IOException(
          "a message was published and no event came within %d s, the bound".formatted(CheckedMessage.BOUND.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new IOException("the event stream ended before its first event: " + ErrorText.of(e), e);
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
