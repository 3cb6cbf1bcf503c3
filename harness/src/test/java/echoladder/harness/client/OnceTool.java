package echoladder.harness.client;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import echoladder.client.figures.Percentiles;
import echoladder.external.SearchPath;
import echoladder.external.Stages;
import echoladder.external.Targets;
import echoladder.external.ToolFigures;
import echoladder.external.ToolProcess;
import echoladder.external.Watch;
import echoladder.linux.sockets.SocketAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The smallest load tool: a program that sends one message on each connection, ten times a second. No jar of the project names it. */
public final class OnceTool implements LoadTool {
  /** The program: {@code once HOST:PORT CONNECTIONS}; it says "ramped" on stderr, and after SIGINT how many echoes there were. */
  public static final String PROGRAM =
      """
      #!/bin/bash
      trap 'echo $echoes; exit 0' INT
      for ((i = 0; i < $2; i++)); do exec {s}<>/dev/tcp/${1%:*}/${1#*:}; all+=($s); done
      echo ramped >&2
      for ((round = 0; round < 600; round++)); do
        for s in ${all[@]}; do printf '%064d' $round >&$s; read -r -N 64 -u $s _ && ((++echoes)); done
        sleep 0.1
      done
      """;

  private static final String ID = "once";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String use() {
    return "tests only";
  }

  @Override
  public String timeKinds() {
    return "none";
  }

  @Override
  public Set<Protocol> protocols() {
    return Set.of(Protocol.TCP);
  }

  @Override
  public List<String> programs() {
    return List.of(ID);
  }

  @Override
  public LoadClient client(Start start) {
    return new Client(start.program(), start.log());
  }

  private record Client(@Nullable Path program, Path log) implements LoadClient {
    @Override
    public String name() {
      return ID;
    }

    @Override
    public void check(LoadPlan plan) throws IOException {
      found();
    }

    private Path found() throws IOException {
      return SearchPath.own().program(List.of(ID), program, "a test");
    }

    @Override
    public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
      List<SocketAddress> targets = Targets.of(plan);
      Stages stages = new Stages(new Watch(plan, targets), listener);
      stages.prepare();
      CountDownLatch ramped = new CountDownLatch(1);
      List<String> argv = List.of(found().toString(), targets.getFirst().toString(), Integer.toString(plan.connections()));
      try (ToolProcess tool = ToolProcess.start(argv, plan.connections() + 64L, _ -> ramped.countDown())) {
        stages.ramp(List.of(tool.pid()));
        if (!ramped.await(60, TimeUnit.SECONDS)) {
          throw new IOException("it has not ramped up within a minute");
        }
        stages.warmUp(System.nanoTime());
        stages.steady(plan.steady().toNanos());
        tool.onExit().completeOnTimeout(0, plan.steady().toMillis(), TimeUnit.MILLISECONDS).join();
        stages.drain();
        tool.interrupt();
        ToolProcess.Ended ended = tool.await(Duration.ofMinutes(1));
        ToolProcess.log(log, argv, ended);
        long echoes = Long.parseLong(ended.stdout().strip());
        LoadResult.Messages messages = new LoadResult.Messages(echoes, echoes, echoes, 0, 0, 0, 0, echoes);
        LoadResult.Times times = LoadResult.Times.of(Percentiles.NONE, Percentiles.NONE, Percentiles.NONE);
        return new ToolFigures(ID, 0, Map.of(), plan.ratePerSecond(), messages, null, times, 1, List.of(), null, null)
            .result(plan, stages.course(), List.of());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    @Override
    public void stop() {}
  }
}
