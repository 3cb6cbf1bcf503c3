package echoladder.openloop;

import echoladder.client.Target;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The floor server as a process; it is on the class path in the profile {@code bench} alone. */
final class FloorProcess implements AutoCloseable {
  private static final String TCP = "echoladder.servers.floor.FloorEcho";
  private static final String WEBSOCKET = "echoladder.servers.floor.FloorWebSocket";

  private final Process process;
  private final Target target;

  private FloorProcess(Process process, Target target) {
    this.process = process;
    this.target = target;
  }

  static FloorProcess start(int loops) throws IOException {
    return start(loops, List.of());
  }

  /** By a command that execs what follows it. */
  static FloorProcess start(int loops, List<String> wrapper) throws IOException {
    return start(TCP, loops, wrapper);
  }

  /** The one that speaks WebSocket, likewise. */
  static FloorProcess startWebSocket(int loops, List<String> wrapper) throws IOException {
    return start(WEBSOCKET, loops, wrapper);
  }

  private static FloorProcess start(String main, int loops, List<String> wrapper) throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.addAll(ClientProcess.measuredJavaCommand());
    command.addAll(List.of(main, "--stop-on-stdin-eof", "--loops", Integer.toString(loops)));
    File log = Path.of("target", "floor.log").toFile();
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log)).start();
    String line = process.inputReader().readLine();
    if (line == null) {
      throw new IOException("the floor server did not start: see target/floor.log; is the profile bench on (mvn -Pbench)?");
    }
    JsonNode ready = JsonMapper.shared().readTree(line);
    return new FloorProcess(process, new Target("127.0.0.1", ready.get("port").intValue()));
  }

  Target target() {
    return target;
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
