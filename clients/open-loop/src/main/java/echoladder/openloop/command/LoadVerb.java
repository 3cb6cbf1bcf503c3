package echoladder.openloop.command;

import echoladder.client.LoadJudge;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.ReasonCode;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.loadmetrics.LoadExporter;
import echoladder.loadmetrics.LoadMetricsPage;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.run.OpenLoopRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The embedded client alone: {@code ladder load}. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Load any echo server with the embedded open-loop client.",
    footer = {
      "",
      "Example: 10,000 connections, 5,000 messages/s for 20 s against a server on this host",
      "  ladder load --target 127.0.0.1:9000 --connections 10000 --rate 5000 --duration 20s --json",
      "",
      "Example: which idle time something on the way to a server does not bear",
      "  ladder load --idle-probe 10s,30s,70s --target 10.0.0.5:9000",
      "",
      "What --target alone does: " + LoadOptions.CONNECTIONS + " connections, " + LoadOptions.RATE_PER_S + " messages/s together, for "
          + LoadOptions.DURATION + ".",
      "Every message has an intended send time; response time counts from it, service time from the actual send.",
      "Exit status: 0 done and valid, 1 done but saturated or invalid (the reasons are said), 2 bad usage,",
      "3 could not run: nothing accepts connections at the target, say."
    })
public final class LoadVerb implements Callable<Integer> {
  @Mixin private final LoadOptions options = new LoadOptions();

  @Option(names = "--json", description = "Print the result as JSON on stdout (fields: docs/run.schema.json).")
  private boolean json;

  @Option(
      names = "--histograms",
      paramLabel = "FILE",
      description = "Write the interval log (HdrHistogram V2, one line per second and kind of time) to this file.")
  private @Nullable Path histograms;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "Serve the client's own Prometheus metrics at 127.0.0.1:PORT/metrics while it loads; 0 = any free port.")
  private @Nullable Integer metricsPort;

  @Mixin private final IdleProbeOption idleProbe = new IdleProbeOption();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    return idleProbe.given() ? probe() : byOptions();
  }

  private int probe() {
    IdleProbe probe;
    try {
      probe = options.probe(idleProbe);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), e.getMessage(), e);
    }
    return IdleProbeOption.run(probe, json, System.out, System.err);
  }

  private int byOptions() {
    CommandSpec command = Objects.requireNonNull(spec);
    LoadPlan plan;
    try {
      plan = options.plan();
      ServerPid.refuseStranger(plan);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    if (plan.cpus() != null) {
      try {
        CpuAffinity.pinProcess(CpuList.parse(plan.cpus()));
      } catch (IOException e) {
        System.err.println("load: " + e.getMessage());
        return 3;
      }
    }
    if (metricsPort == null) {
      return load(plan, new OpenLoopRun(plan, histograms, new LoadText(System.err, null)));
    }
    if (metricsPort < 0 || metricsPort > 65_535) {
      throw new ParameterException(command.commandLine(), "--metrics-port " + metricsPort + " is outside 0 to 65535");
    }
    LoadExporter metrics = new LoadExporter();
    try (LoadMetricsPage page = LoadMetricsPage.start(metricsPort, metrics)) {
      System.err.println("load: metrics at " + page.address());
      metrics.begin(plan.targets().getFirst().toString(), plan.connections());
      return load(plan, new OpenLoopRun(plan, histograms, new LoadText(System.err, metrics)));
    } catch (IOException e) {
      System.err.println("load: " + e.getMessage());
      return 3;
    }
  }

  private int load(LoadPlan plan, OpenLoopRun run) {
    try (Interruptible _ = Interruptible.by(run::stop)) {
      LoadResult result = told(run.run());
      String nobody = LoadText.nobodyThere(plan, result);
      if (nobody != null) {
        System.err.println("load: " + nobody);
        return 3;
      }
      if (json) {
        System.out.println(
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(result));
      } else {
        System.out.print(LoadText.result(result));
      }
      System.out.flush();
      result.verdictReasons()
          .forEach(d -> System.err.println("load: %s: %s: %s".formatted(result.verdict().id(), d.reason().id(), d.detail())));
      return result.valid() ? 0 : 1;
    } catch (PlanNotPossible e) {
      System.err.println("load: " + e.getMessage());
      return 3;
    } catch (IOException | IllegalStateException e) {
      System.err.println("load: the load failed: " + e.getMessage());
      return 3;
    }
  }

  /** A load that was stopped says that alone, and not what follows from it. */
  private static LoadResult told(LoadResult result) {
    return result.verdictReasons().stream()
        .filter(doubt -> doubt.reason() == ReasonCode.INTERRUPTED)
        .findFirst()
        .map(stopped -> result.judged(LoadJudge.ofStopped(stopped, result.verdictReasons())))
        .orElse(result);
  }
}
