package echoladder.harness.claims;

import echoladder.harness.common.HostCpu;
import echoladder.harness.common.Jdks;
import echoladder.harness.run.StopSignal;
import echoladder.harness.tune.ControlGroup;
import echoladder.harness.tune.RunJournal;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.ChildProcess;
import echoladder.linux.process.ProcessCpu;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs one step as a process, in a control group of its own where one can be made. */
final class StepProcess {
  /** The workload stops itself at its time limit and then has so long to say so. */
  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(30);

  /** Its figures are one line of some kilobytes. */
  private static final int LINE_MOST_BYTES = 16 << 20;

  private final Workloads workloads;
  private final StopSignal stop;
  private final ProcessCpu cpu = new ProcessCpu();
  private int groups;

  StepProcess(Workloads workloads, StopSignal stop) {
    this.workloads = workloads;
    this.stop = stop;
  }

  /**
   * Runs it to its end.
   *
   * @param log file that the beginning and the end of its messages are appended to
   * @throws IOException where it cannot be started at all
   */
  StepRun run(Claim.Step step, Claim.Effort effort, int repeat, Path log) throws IOException, InterruptedException {
    List<String> command = workloads.command(step, effort);
    try (RunJournal journal = new RunJournal()) {
      List<String> whole = new ArrayList<>(wrapper(journal));
      whole.addAll(command);
      HostCpu before = HostCpu.now();
      long cpuBefore = cpu.ownWithEndedChildrenNs();
      ProcessBuilder builder =
          new ProcessBuilder(whole)
              .redirectInput(Path.of("/dev/null").toFile());
      // Go's form of a workload may start the Java server of the other form.
      builder.environment().put("JAVA_HOME", Jdks.own().toString());
      builder.environment().putAll(step.env());
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      // A signal to this process alone reaches the workload so, which then tells what it has.
      try (HeadAndTail out = new HeadAndTail(said, LINE_MOST_BYTES, 1);
          HeadAndTail err = HeadAndTail.appendedTo(log);
          ChildProcess process = ChildProcess.start(builder, out, err);
          StopSignal.Registration _ = stop.onStop(process::terminate)) {
        // A workload that hangs beyond its own guards is ended here.
        if (!process.endsWithin(Duration.ofNanos(workloads.timeNs() + GRACE_NS))) {
          process.kill();
        }
        process.drained();
        Integer status = process.status();
        StepRun run =
            ended(
                step.name(), repeat, workloads.shown(step, command), status == null ? -1 : status,
                said.toString(StandardCharsets.UTF_8), log);
        HostCpu after = HostCpu.now();
        return run.with(HostCpu.foreignShare(before, after, (double) (cpu.ownWithEndedChildrenNs() - cpuBefore)));
      }
    }
  }

  private List<String> wrapper(RunJournal journal) throws IOException {
    if (ControlGroup.complaint(ControlGroup.Kind.MEMORY) != null) {
      return List.of(); // The workload then says that its own readings alone enforce the limit.
    }
    String name = "echo-ladder-claims-%d-%d".formatted(ProcessHandle.current().pid(), groups++);
    return journal.groups(name, Map.of(ControlGroup.Kind.MEMORY, workloads.memoryBytes())).getFirst().wrapper();
  }

  private static StepRun ended(
      String step, int repeat, List<String> command, int status, String out, Path log) {
    JsonNode figures = null;
    try {
      figures = out.isBlank() ? null : JsonMapper.shared().readTree(out);
    } catch (JacksonException e) {
      return new StepRun(step, repeat, command, "failed", "its line is no JSON: " + e.getOriginalMessage(), null, null, null, null);
    }
    if (figures == null) {
      boolean killed = status == 128 + 9;
      return new StepRun(
          step,
          repeat,
          command,
          killed ? "killed" : "failed",
          killed
              ? "killed by signal 9, as the kernel does at the memory limit of its control group"
              : "it ended with status " + status + " and without figures; see " + log.getFileName(),
          null,
          null,
          null,
          null);
    }
    return new StepRun(
        step,
        repeat,
        command,
        figures.path("ended_by").asString("failed"),
        figures.path("ended_detail").asString(""),
        null,
        figures,
        null,
        null);
  }
}
