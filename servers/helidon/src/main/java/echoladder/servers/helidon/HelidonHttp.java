package echoladder.servers.helidon;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.ServerOptions;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** HTTP echo on Helidon: each connection has a virtual thread, which reads, handles and answers its requests. */
@Command(name = "helidon-http", description = "HTTP echo on Helidon.")
public final class HelidonHttp implements EchoProgram {
  @Mixin private final HttpOptions http = new HttpOptions();

  public static void main(String[] args) {
    ServerFrame.main(new HelidonHttp(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    http.check();
    Http1Config protocol =
        Http1Config.builder().maxHeadersSize(http.maxHeaderBytes()).maxPrologueLength(http.maxHeaderBytes()).build();
    Endpoints endpoints = new Endpoints(context.metrics(), context.acceptErrors());
    return HelidonServer.start(
        options,
        context,
        Http1ConnectionSelector.builder().config(protocol).build(),
        http.requestTimeout(),
        endpoints,
        server -> server.maxPayloadSize(http.maxBodyBytes()).routing(endpoints::route));
  }
}
