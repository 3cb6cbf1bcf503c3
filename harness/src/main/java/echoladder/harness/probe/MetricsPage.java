package echoladder.harness.probe;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A page of Prometheus text.
 *
 * @param text the page
 */
public record MetricsPage(String text) {
  private static final Duration BOUND = Duration.ofSeconds(5);

  /** One client for all pages, as each keeps threads of its own. */
  private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(BOUND).build();

  /**
   * Fetches a page, waiting at most 5 s.
   *
   * @throws IOException where it cannot be had or its status is not 200, with the reason
   */
  public static MetricsPage fetch(URI uri) throws IOException {
    return new MetricsPage(send(HttpRequest.newBuilder(uri).timeout(BOUND).build()));
  }

  /**
   * Posts nothing and gives the answer's body, waiting at most {@code bound}.
   *
   * @throws IOException where there is no answer or its status is not 200, with the reason
   */
  static String post(URI uri, Duration bound) throws IOException {
    return send(HttpRequest.newBuilder(uri).timeout(bound).POST(HttpRequest.BodyPublishers.noBody()).build());
  }

  private static String send(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 404 || response.statusCode() == 405) {
        throw new NotThereException(request.method() + " " + request.uri() + " answered " + response.statusCode());
      }
      if (response.statusCode() != 200) {
        throw new IOException(request.method() + " " + request.uri() + " answered " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(request.method() + " " + request.uri() + " was interrupted", e);
    } catch (NotThereException e) {
      throw e;
    } catch (ConnectException e) {
      // It mostly has no message: the port is closed, or no route leads there.
      throw new IOException(
          request.method() + " " + request.uri() + " failed: no connection could be made"
              + (e.getMessage() == null ? "" : ": " + e.getMessage()), e);
    } catch (IOException e) {
      throw new IOException(request.method() + " " + request.uri() + " failed: " + e, e);
    }
  }

  /** The value of a label of a series, of the first line that has it; null where there is none. */
  public @Nullable String label(String name, String label) {
    for (String line : text.split("\n", -1)) {
      int at = line.indexOf(label + "=\"");
      int end = at < 0 ? -1 : line.indexOf('"', at + label.length() + 2);
      if (line.startsWith(name + "{") && end > 0) {
        return line.substring(at + label.length() + 2, end);
      }
    }
    return null;
  }

  /** The values of a series above 0 by one of its labels. */
  Map<String, Long> byLabel(String name, String label) {
    Map<String, Long> values = new TreeMap<>();
    for (String line : text.split("\n", -1)) {
      int from = line.indexOf(label + "=\"") + label.length() + 2;
      int to = line.indexOf('"', from);
      int end = line.lastIndexOf('}');
      if (line.startsWith(name + "{") && from > label.length() + 1 && to > from && end > to) {
        long value = (long) Double.parseDouble(line.substring(end + 1).trim().split(" ", -1)[0]);
        if (value > 0) {
          values.merge(line.substring(from, to), value, Long::sum);
        }
      }
    }
    return values;
  }

  /** The sum of a series over all its labels; empty where the page has none of it. */
  public OptionalDouble sum(String name) {
    double sum = 0;
    boolean any = false;
    for (String line : text.split("\n", -1)) {
      if (line.startsWith(name) && line.length() > name.length() && " {".indexOf(line.charAt(name.length())) >= 0) {
        int labels = line.lastIndexOf('}');
        String[] words = line.substring(labels < 0 ? name.length() : labels + 1).trim().split(" ", -1);
        sum += Double.parseDouble(words[0].replace("+Inf", "Infinity"));
        any = true;
      }
    }
    return any ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }
}
