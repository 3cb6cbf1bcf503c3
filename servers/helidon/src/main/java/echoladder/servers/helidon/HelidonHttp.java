package echoladder.servers.helidon;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** HTTP on Helidon: each connection has a virtual thread, which reads, handles and answers its requests. */
@Command(name = "helidon-http", description = "HTTP on Helidon: echo, or push by event streams.")
public final class HelidonHttp implements EchoProgram {
  @Mixin private final HttpOptions http = new HttpOptions();
  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  public static void main(String[] args) {
    ServerFrame.main(new HelidonHttp(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    http.check();
    push.check();
    tls.check(push.push());
    Http1Config protocol =
        Http1Config.builder()
            .maxHeadersSize(http.maxHeaderBytes())
            .maxPrologueLength(http.maxHeaderBytes())
            // A topic that is no number is answered here, whatever it is instead, and its connection goes on.
            .validatePrologue(!push.push())
            .build();
    Http1ConnectionSelector selector = Http1ConnectionSelector.builder().config(protocol).build();
    if (push.push()) {
      Push shared = Push.of(push, context);
      Events events = new Events(shared);
      return HelidonServer.start(
          options,
          context,
          new ListenerOptions(selector, http.requestTimeout(), tls, shared.peers()),
          events,
          server ->
              server
                  .maxPayloadSize(Math.min(http.maxBodyBytes(), PushListener.MOST_BODY_BYTES))
                  .routing(events::route));
    }
    Peers peers = tls.on() ? new Peers(context.metrics()) : null;
    Endpoints endpoints = new Endpoints(context.metrics(), context.acceptErrors(), peers);
    return HelidonServer.start(
        options,
        context,
        new ListenerOptions(selector, http.requestTimeout(), tls, peers),
        endpoints,
        server -> server.maxPayloadSize(http.maxBodyBytes()).routing(endpoints::route));
  }
}
