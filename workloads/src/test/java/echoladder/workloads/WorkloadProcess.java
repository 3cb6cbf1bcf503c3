package echoladder.workloads;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A workload as a user starts it: its exit status, its line of JSON and its messages. */
record WorkloadProcess(int status, String out, String err) {

  static WorkloadProcess run(Class<?> workload, List<String> jvmOptions, String... args) throws Exception {
    Path out = Files.createTempFile("workload", ".out");
    try {
      return to(out, workload, jvmOptions, args);
    } finally {
      Files.delete(out);
    }
  }

  /** With stdout in a device, of which nothing is read. */
  static WorkloadProcess to(Path out, Class<?> workload, List<String> jvmOptions, String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A process of some seconds, whose figures mean nothing here.
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), workload.getName()));
    command.addAll(List.of(args));
    Path err = Files.createTempFile("workload", ".err");
    Process process =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS)) {
        throw new AssertionError("still runs after 120 s: " + Files.readString(err));
      }
      return new WorkloadProcess(
          process.exitValue(),
          Files.isRegularFile(out) ? Files.readString(out, StandardCharsets.UTF_8) : "",
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
      Files.delete(err);
    }
  }

  JsonNode figures() {
    return JsonMapper.shared().readTree(out);
  }
}
