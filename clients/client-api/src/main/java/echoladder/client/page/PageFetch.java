package echoladder.client.page;

import echoladder.client.PageCredentials;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a server over HTTP/1.1. One deadline covers name, connection, headers and body together, the body has a size limit,
 * and a redirect is an answer like any other: what is asked is what was named. Any thread may call.
 *
 * @param deadline for all of it
 * @param mostBytes of the body
 */
public record PageFetch(Duration deadline, int mostBytes) {
  /** For a page of figures: 5 s and 8 MiB. */
  public static final PageFetch FIGURES = new PageFetch(Duration.ofSeconds(5), 8 << 20);

  /** One client for all pages, as each keeps threads of its own. */
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /**
   * Opens what all fetches share. A process that may run out of descriptors calls it while there are some: to open the client
   * then fails for good, and not with an IOException.
   */
  public static void open() {
    Objects.requireNonNull(HTTP);
  }

  /**
   * The body of a page.
   *
   * @throws NotThereException where the server has no such page
   * @throws IOException where it cannot be had whole, or its status is not 200, with the reason
   */
  public byte[] get(URI uri) throws IOException {
    return send(PageCredentials.request(uri).build());
  }

  /**
   * The answer's body to that body.
   *
   * @throws NotThereException where the server has no such page
   * @throws IOException where it cannot be had whole, or its status is not 200, with the reason
   */
  public byte[] post(URI uri, byte[] body) throws IOException {
    return send(
        PageCredentials.request(uri)
            .header("Content-Type", "application/octet-stream")
            .POST(body.length == 0 ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body))
            .build());
  }

  /** A remote text as part of a message: one line without control characters, 120 characters of it at most. */
  public static String quoted(byte[] remote) {
    return quoted(new String(remote, 0, Math.min(remote.length, 1_000), StandardCharsets.UTF_8));
  }

  static String quoted(String remote) {
    String line = remote.replaceAll("\\p{C}", "?");
    return "'" + (line.length() <= 120 ? line : line.substring(0, 120) + "...") + "'";
  }

  private byte[] send(HttpRequest request) throws IOException {
    String what = request.method() + " " + request.uri();
    CompletableFuture<HttpResponse<byte[]>> asked =
        HTTP.sendAsync(request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), mostBytes));
    HttpResponse<byte[]> answer;
    try {
      answer = asked.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s failed: no whole answer within %.1f s, the bound".formatted(what, deadline.toNanos() / 1e9), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(what + " was interrupted", e);
    } catch (ExecutionException e) {
      throw failed(what, e.getCause() == null ? e : e.getCause());
    } finally {
      // Where it is still under way, this closes its connection.
      asked.cancel(true);
    }
    int status = answer.statusCode();
    if (status == 404 || status == 405) {
      throw new NotThereException(what + " answered " + status);
    }
    if (status >= 300 && status < 400) {
      throw new IOException(what + " answered " + status + ", a redirect, which is not followed; name the page itself");
    }
    if (status != 200) {
      throw new IOException(what + " answered " + status);
    }
    return answer.body();
  }

  private IOException failed(String what, Throwable why) {
    if (why instanceof ConnectException) {
      // It mostly has no message: the port is closed, or no route leads there.
      String said = why.getMessage() == null ? "" : ": " + why.getMessage();
      return new IOException(what + " failed: no connection could be made" + said, why);
    }
    String said = String.valueOf(why.getMessage());
    if (said.contains("capacity")) {
      return new IOException("%s failed: its answer is over %,d bytes, the bound".formatted(what, mostBytes), why);
    }
    return new IOException(what + " failed: " + quoted(ErrorText.of(why)), why);
  }
}
