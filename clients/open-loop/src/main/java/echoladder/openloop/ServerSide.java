package echoladder.openloop;

import echoladder.linux.ProcessCpu;
import echoladder.linux.ProcessMemory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of the server from here: by its pid where it runs on this host, else by its metrics page. Every
 * figure is null where it cannot be had.
 */
final class ServerSide {
  private final @Nullable Long pid;
  private final @Nullable URI metrics;
  private final ProcessCpu cpu = new ProcessCpu();
  private final @Nullable HttpClient http;

  ServerSide(@Nullable Long pid, @Nullable URI metrics) {
    this.pid = pid;
    this.metrics = metrics;
    this.http = metrics == null ? null : HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  }

  /** CPU so far in ns. By pid exact; by the metrics page as fine as its process_cpu_seconds_total. */
  @Nullable Long cpuNs() {
    if (pid != null) {
      long ns = cpu.ns(pid);
      return ns < 0 ? null : ns;
    }
    Double seconds = metric("process_cpu_seconds_total");
    return seconds == null ? null : (Long) (long) (seconds * 1e9);
  }

  /** Resident memory in bytes. */
  @Nullable Long rssBytes() {
    if (pid != null) {
      return ProcessMemory.rssBytes(pid);
    }
    Double bytes = metric("process_resident_memory_bytes");
    return bytes == null ? null : (Long) (long) (double) bytes;
  }

  /** Seconds its JIT compilers have been busy so far; null for a runtime without, or without metrics page. */
  @Nullable Double compileSeconds() {
    return metric("jvm_compilation_time_seconds_total");
  }

  private @Nullable Double metric(String name) {
    if (http == null || metrics == null) {
      return null;
    }
    try {
      HttpRequest request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(5)).build();
      String page = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return valueOf(name, page);
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** The value of a series without labels on a page of Prometheus text. */
  static @Nullable Double valueOf(String name, String page) {
    for (String line : page.split("\n", -1)) {
      if (line.startsWith(name + " ")) {
        return Double.valueOf(line.substring(name.length() + 1).trim().split(" ", -1)[0]);
      }
    }
    return null;
  }
}
