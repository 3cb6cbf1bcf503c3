package echoladder.external;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The server's metrics page in Prometheus text, as far as series without labels go. One thread. */
final class ServerPage implements AutoCloseable {
  private final URI address;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  ServerPage(URI address) {
    this.address = address;
  }

  /** Every series without labels; empty where the page does not answer. */
  Map<String, Double> read() {
    HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(5)).build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? parse(answer.body()) : Map.of();
    } catch (IOException e) {
      // Not answering is what the empty page says; who reads it decides what that means.
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }

  static Map<String, Double> parse(String page) {
    Map<String, Double> series = new HashMap<>();
    for (String line : page.split("\n", -1)) {
      String[] parts = line.trim().split("\\s+", -1);
      if (parts.length >= 2 && !line.startsWith("#") && line.indexOf('{') < 0) {
        Double value = number(parts[1]);
        if (value != null) {
          series.put(parts[0], value);
        }
      }
    }
    return series;
  }

  private static @Nullable Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      // +Inf and its like: no figure of ours.
      return null;
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
