package echoladder.servers.micronauthttp;

import echoladder.servers.kit.HeavyDuration;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;

/** Heavy where a handler has a thread of its own. */
@Controller
@Requires(property = Configuration.PROTOCOL, value = Configuration.HTTP)
@Requires(property = Configuration.TRAFFIC, value = Configuration.ECHO)
@Requires(property = Configuration.MODE, notEquals = "event-loop")
final class HeavyBySleep {
  @Get("/api/heavy")
  @Produces(MediaType.TEXT_PLAIN)
  HttpResponse<String> heavy(HttpRequest<?> request) throws InterruptedException {
    try {
      Thread.sleep(HeavyDuration.ofQuery(request.getUri().getRawQuery()));
      return HttpResponse.ok("heavy\n");
    } catch (IllegalArgumentException e) {
      return HttpResponse.badRequest(e.getMessage() + "\n");
    }
  }
}
