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
    String what = request.method() + " " + request.uri();
    HttpResponse<String> response;
    try {
      response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(what + " was interrupted", e);
    } catch (ConnectException e) {
      // It mostly has no message: the port is closed, or no route leads there.
      String said = e.getMessage() == null ? "" : ": " + e.getMessage();
      throw new IOException(what + " failed: no connection could be made" + said, e);
    } catch (IOException e) {
      throw new IOException(what + " failed: " + e, e);
    }
    int status = response.statusCode();
    if (status == 404 || status == 405) {
      throw new NotThereException(what + " answered " + status);
    }
    if (status != 200) {
      throw new IOException(what + " answered " + status);
    }
    return response.body();
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

  /** A value as the text form has it. */
  static double number(String text) {
    return Double.parseDouble(text.replace("+Inf", "Infinity"));
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
        sum += number(words[0]);
        any = true;
      }
    }
    return any ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }
}
