package echoladder.openloop;

import echoladder.client.Target;
import echoladder.linux.process.ProcessTree;
import echoladder.linux.process.StdinWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An echo server behind a shell that has started it and waits for it: the pid of the shell is what a user has of such a server. */
public final class EchoProcess implements AutoCloseable {
  private final Process shell;
  private final Target target;

  private EchoProcess(Process shell, Target target) {
    this.shell = shell;
    this.target = target;
  }

  public static EchoProcess start() throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\"; :", "sh"));
    command.addAll(ClientProcess.javaCommand());
    command.add(EchoProcess.class.getName());
    Process shell = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new EchoProcess(shell, new Target("127.0.0.1", Integer.parseInt(shell.inputReader().readLine())));
  }

  /** The server: prints its port, echoes, and ends with its stdin. */
  public static void main(String[] args) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1_000, InetAddress.getByName("127.0.0.1"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      System.out.println(listener.getLocalPort());
      StdinWatch.begin();
      while (true) {
        Socket socket = listener.accept();
        threads.execute(() -> echo(socket));
      }
    }
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // The client has gone.
    }
  }

  public Target target() {
    return target;
  }

  /** The shell's process id. */
  public long pid() {
    return shell.pid();
  }

  /** The server's process id. */
  public long child() {
    return new ProcessTree(shell.pid()).pids().getLast();
  }

  @Override
  public void close() throws IOException {
    shell.getOutputStream().close();
    shell.onExit().join();
  }
}
