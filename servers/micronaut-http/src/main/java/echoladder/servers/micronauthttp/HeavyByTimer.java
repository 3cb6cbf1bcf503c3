package echoladder.servers.micronauthttp;

import echoladder.servers.kit.HeavyDuration;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.netty.channel.EventLoopGroup;
import jakarta.inject.Named;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Heavy where a handler runs on an event loop, which must not wait: its timer answers. */
@Controller
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.ECHO)
@Requires(property = Configuration.MODE, value = "event-loop")
final class HeavyByTimer {
  private final EventLoopGroup loops;

  HeavyByTimer(@Named("default") EventLoopGroup loops) {
    this.loops = loops;
  }

  @Get("/api/heavy")
  @Produces(MediaType.TEXT_PLAIN)
  CompletionStage<HttpResponse<String>> heavy(HttpRequest<?> request) {
    CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
    try {
      long ms = HeavyDuration.ofQuery(request.getUri().getRawQuery()).toMillis();
      var _ = loops.schedule(() -> answer.complete(HttpResponse.ok("heavy\n")), ms, TimeUnit.MILLISECONDS);
    } catch (IllegalArgumentException e) {
      answer.complete(HttpResponse.badRequest(e.getMessage() + "\n"));
    }
    return answer;
  }
}
