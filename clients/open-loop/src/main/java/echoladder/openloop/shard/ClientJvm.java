package echoladder.openloop.shard;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** How another client process is started: by this JVM's own java, flags and class path. */
final class ClientJvm {
  private ClientJvm() {}

  static List<String> command(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      // A debugger or agent of the parent belongs to the parent alone.
      if (!flag.startsWith("-agentlib") && !flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    return command;
  }
}
