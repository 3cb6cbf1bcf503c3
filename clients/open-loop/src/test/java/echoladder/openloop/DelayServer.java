package echoladder.openloop;

import echoladder.client.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The C server of src/bench/c/delay_server.c, whose delays are known, as a process. */
final class DelayServer {
  private final Process process;
  private final Target target;

  /** What it did: the delays it made, in ns. */
  record Made(long p50Ns, long p90Ns, long p99Ns, long count) {}

  private DelayServer(Process process, Target target) {
    this.process = process;
    this.target = target;
  }

  /** Starts it where servers are; the options as its source names them. */
  static DelayServer start(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(BenchPairs.atServers());
    command.add(ReferenceProgram.compile("delay_server").toString());
    command.addAll(Arrays.asList(options));
    Process process = ReferenceProgram.start(command);
    return new DelayServer(process, new Target("127.0.0.1", ReferenceProgram.port(process)));
  }

  Target target() {
    return target;
  }

  /** Ends it. */
  Made end() throws IOException, InterruptedException {
    String[] figures = ReferenceProgram.end(process).trim().split(" ", -1);
    return new Made(
        Long.parseLong(figures[0]), Long.parseLong(figures[1]), Long.parseLong(figures[2]), Long.parseLong(figures[3]));
  }
}
