package echoladder.servers.kit;

import echoladder.linux.sockets.LoopbackListener;
import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.DurationText;
import echoladder.servers.kit.options.ServerOptions;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;

/**
 * The run of a server: parse, listen, ready line, wait, drain, exit. Exit status: 0 stopped as asked, 2 bad usage, 3
 * could not run.
 */
public final class ServerFrame {
  private static final int COULD_NOT_RUN = 3;

  private final EchoProgram program;
  private final CommandLine commandLine;
  private final ServerOptions options = new ServerOptions();
  private final ServerLog log;

  private ServerFrame(EchoProgram program) {
    this.program = program;
    commandLine =
        new CommandLine(program)
            .addMixin("common", options)
            .setUsageHelpWidth(110)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((e, args) -> badUsage(String.valueOf(e.getMessage())))
            .setExecutionStrategy(result -> CommandLine.executeHelpRequest(result) == null ? run() : 0);
    commandLine
        .getCommandSpec()
        .usageMessage()
        .footer(
            "",
            "On stdout: one JSON line when connections are accepted. Exit status: 0 stopped as asked (SIGTERM, SIGINT),",
            "2 bad usage, 3 could not run.",
            "",
            "Example:",
            "  " + commandLine.getCommandName() + " --port 9000 --metrics-port 9100 --drain 5s");
    log = new ServerLog(commandLine.getCommandName(), System.err);
  }

  /** Runs the program to its end and ends the process. */
  public static void main(EchoProgram program, String... args) {
    System.exit(new ServerFrame(program).commandLine.execute(args));
  }

  private int badUsage(String message) {
    log.say(message + System.lineSeparator() + "Try '" + commandLine.getCommandName() + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  private int run() {
    try {
      options.check();
      return serve();
    } catch (BadOption e) {
      return badUsage(String.valueOf(e.getMessage()));
    } catch (CannotRun e) {
      log.say(String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError e) {
      // It may have started threads by then, which would keep the process.
      log.say("could not start: " + AcceptErrors.withLimit(e));
    } catch (RuntimeException e) {
      log.failure("could not run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.say("interrupted; stopping without a drain");
    }
    return COULD_NOT_RUN;
  }

  private int serve() throws InterruptedException {
    StopRequest stop = new StopRequest();
    stop.onSignal("TERM");
    stop.onSignal("INT");
    EchoMetrics metrics = new EchoMetrics();
    DescriptorReserve reserve = new DescriptorReserve();
    AcceptErrors acceptErrors = new AcceptErrors(metrics, reserve, log, System::nanoTime);
    PrometheusRegistry registry = new PrometheusRegistry();
    metrics.register(registry);
    RuntimeMetrics.register(registry, commandLine.getCommandName());
    if (options.hiccupMeter()) {
      HiccupMeter.start(registry);
    }

    EchoContext context = new EchoContext(metrics, acceptErrors, log, registry, stop::fail);
    EchoServer server = listen("echo", options.echoAddress(), () -> started(context));
    InetSocketAddress pageAddress = options.metricsAddress();
    MetricsPage page =
        listen(
            "metrics",
            pageAddress,
            () -> MetricsPage.start(pageAddress, registry, server::directBytes, reserve, log));
    if (options.stopOnStdinEof()) {
      stop.onEnd(System.in);
    }
    // The reserve is put by now: some servers would do so with their first connection only, and the page may need it before.
    acceptErrors.mayAccept();
    say(server, page);

    String cause = stop.await();
    log.say("stopping: " + cause);
    if (stop.failed()) {
      return COULD_NOT_RUN;
    }
    long unfinished = server.drain(options.drain());
    if (unfinished > 0) {
      log.say(unfinished + " connections were not done within --drain " + DurationText.of(options.drain()) + "; cut off");
    }
    return 0;
  }

  private EchoServer started(EchoContext context) throws IOException {
    EchoServer server = program.start(options, context);
    if (options.allOfLoopback()) {
      LoopbackListener.tie(server.port());
    }
    return server;
  }

  private void say(EchoServer server, MetricsPage page) {
    Map<String, Object> config = new TreeMap<>(Config.ofOptions(commandLine.getCommandSpec()));
    config.put("backlog_in_force", Config.backlogInForce(options.backlog()));
    config.put("cpus", Config.cpus());
    config.putAll(Config.ofJvm());
    config.putAll(server.running());
    ReadyLine line =
        new ReadyLine(
            true,
            commandLine.getCommandName(),
            ProcessHandle.current().pid(),
            options.host(),
            server.port(),
            page.port(),
            config);
    System.out.println(line.toJson());
    if (System.out.checkError()) {
      throw new CannotRun("could not write the ready line to stdout; nobody can learn the port, so stopping");
    }
  }

  private interface Opening<T> {
    T open() throws IOException;
  }

  private static <T> T listen(String what, InetSocketAddress address, Opening<T> opening) {
    try {
      return opening.open();
    } catch (IOException e) {
      String option = what.equals("echo") ? "--port" : "--metrics-port";
      throw new CannotRun(
          "could not listen for " + what + " on " + address.getHostString() + ":" + address.getPort() + ": "
              + e.getMessage() + "; the address must be one of this host's, and the port free, also of outgoing"
              + " connections, which take theirs from net.ipv4.ip_local_port_range. See who has it with"
              + " 'ss -tanp sport = :" + address.getPort() + "', or give another " + option + " (0 = any free one)",
          e);
    }
  }
}
