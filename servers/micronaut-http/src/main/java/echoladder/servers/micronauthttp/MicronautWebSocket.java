package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** WebSocket echo, or push, on Micronaut, on the event loops. */
@Command(name = "micronaut-websocket", description = "WebSocket on Micronaut: echo, or push.")
public final class MicronautWebSocket implements EchoProgram {
  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "epoll",
      description = "nio, epoll or io_uring; default ${DEFAULT-VALUE}")
  private MicronautEcho.Transport transport = MicronautEcho.Transport.epoll;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      defaultValue = "0",
      description = "Event loops, 0 to 1024; 0 = one per processor; default ${DEFAULT-VALUE}")
  private int eventLoops;

  @Option(
      names = "--max-message-bytes",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "Largest message of a client, 1 to 1048576; more is closed with 1009; default ${DEFAULT-VALUE}")
  private int maxMessageBytes = EchoSocket.FRAME_BYTES_MAX;

  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  public static void main(String[] args) {
    ServerFrame.main(new MicronautWebSocket(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    BadOption.unlessWithin("--event-loops", eventLoops, 0, 1024);
    BadOption.unlessWithin("--max-message-bytes", maxMessageBytes, 1, EchoSocket.FRAME_BYTES_MAX);
    HttpOptions http = new HttpOptions();
    Settings settings = new Settings(http, push, tls);
    settings.check();
    int loops = eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
    Map<String, Object> configuration = Configuration.of(options, http, Mode.EVENT_LOOP, transport.name(), loops, 1);
    configuration.putAll(push.push() ? Configuration.ofWebSocketPush() : Configuration.ofWebSocket(maxMessageBytes));
    if (tls.on()) {
      configuration.putAll(Configuration.ofTls(options, tls));
    }
    return MicronautServer.start(context, settings, Mode.EVENT_LOOP, configuration);
  }
}
