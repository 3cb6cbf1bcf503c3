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
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** HTTP echo, or push of event streams, on Micronaut, in one of its four ways to run a handler. */
@Command(name = "micronaut-http", description = "HTTP on Micronaut: echo, or push by event streams.")
public final class MicronautEcho implements EchoProgram {
  @Mixin private final HttpOptions http = new HttpOptions();
  @Mixin private final PushOptions push = new PushOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "event-loop",
      converter = ModeText.class,
      description = "What runs a handler: event-loop, virtual-threads, platform-threads (a pool) or loom-carrier (virtual"
          + " threads carried by the event loops); default ${DEFAULT-VALUE}")
  private Mode mode = Mode.EVENT_LOOP;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "epoll",
      description = "nio, epoll or io_uring; default ${DEFAULT-VALUE}")
  private Transport transport = Transport.epoll;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      defaultValue = "0",
      description = "Event loops, 0 to 1024; 0 = one per processor; default ${DEFAULT-VALUE}")
  private int eventLoops;

  @Option(
      names = "--pool-size",
      paramLabel = "N",
      defaultValue = "200",
      description = "Threads of the pool of platform-threads, 1 to 100000; default ${DEFAULT-VALUE}")
  private int poolSize = 200;

  /** Netty's ways to the kernel, named as on the command line. */
  enum Transport {
    nio,
    epoll,
    io_uring
  }

  /** Reads and prints a mode as on the command line. */
  static final class ModeText implements ITypeConverter<Mode> {
    @Override
    public Mode convert(String text) {
      for (Mode mode : Mode.values()) {
        if (mode.toString().equals(text)) {
          return mode;
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not a mode; event-loop, virtual-threads, platform-threads or loom-carrier");
    }
  }

  public static void main(String[] args) {
    ServerFrame.main(new MicronautEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    Settings settings = new Settings(http, push, tls);
    settings.check();
    BadOption.unlessWithin("--event-loops", eventLoops, 0, 1024);
    BadOption.unlessWithin("--pool-size", poolSize, 1, 100_000);
    int loops = eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
    Map<String, Object> configuration = Configuration.of(options, http, mode, transport.name(), loops, poolSize);
    if (push.push()) {
      configuration.putAll(Configuration.ofPush(http));
    }
    if (tls.on()) {
      configuration.putAll(Configuration.ofTls(options, tls));
    }
    return MicronautServer.start(context, settings, mode, configuration);
  }
}
