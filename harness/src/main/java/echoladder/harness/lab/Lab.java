package echoladder.harness.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A kind of throwaway kernel that boots on this host's own files. A second kind is a second implementation: what tells
 * its results apart is {@link #mayClaim}.
 */
public interface Lab {
  /** How its results name it, e.g. {@code user-mode-linux}. */
  String kind();

  /** What results from inside may be quoted for. */
  Set<Quotable> mayClaim();

  /**
   * Whether this host can give such a kernel; nothing is started.
   *
   * @return what may go wrong later, a sentence each
   * @throws echoladder.harness.common.Refusal (cannot run) where it cannot
   */
  List<String> check(LabSettings settings);

  /**
   * Starts a kernel, and waits until it has its settings and limits.
   *
   * @throws echoladder.harness.common.Refusal (cannot run) where it does not come up; nothing of it is left then
   */
  Guest boot(LabSettings settings) throws IOException;

  /** A kernel that runs. One thread calls it. */
  interface Guest extends AutoCloseable {
    /** What it is, and where the time of its boot went. */
    Booted booted();

    /**
     * Starts the one command.
     *
     * @param directory where it starts
     * @param environment all of it
     */
    void start(List<String> command, Path directory, Map<String, String> environment) throws IOException;

    /** Copies what the command has written since the last call. */
    void pump(LabStreams streams) throws IOException;

    /** The command's exit status, 128 + signal where one ended it; empty while it runs. */
    OptionalInt status();

    /** Sends the command and its process group a signal, by its name, e.g. INT. */
    void signal(String name) throws IOException;

    /** Whether the kernel runs, for at most that long waiting for its end. */
    boolean alive(long waitMs) throws InterruptedException;

    /** Bytes that it has written to files of this host so far; what goes to its scratch is none of them. */
    long writtenBytes();

    /** What the kernel did to processes inside that explains their end: killed for memory, say; a sentence each. */
    List<String> remarks();

    /** The last words of the kernel, for a message; empty where there are none. */
    String lastWords();

    /** Powers it off, and returns when nothing of it is left: no process, no memory, no file. */
    @Override
    void close();
  }

  /**
   * What came up.
   *
   * @param kernel its release, e.g. 6.1.0
   * @param memoryBytes as the kernel inside counts it
   * @param cpu the processor of this host that it runs on
   * @param descriptors soft and hard RLIMIT_NOFILE
   * @param settingsMade how many settings of the profile were changed
   * @param settings how many it has
   * @param seconds from the start of the process until it was ready
   * @param parts where they went, in order: name and seconds
   * @param trouble what did not go as it should, a sentence each
   */
  record Booted(
      String kernel,
      long memoryBytes,
      int cpu,
      long descriptors,
      int settingsMade,
      int settings,
      double seconds,
      Map<String, Double> parts,
      List<String> trouble) {
    public Booted {
      trouble = List.copyOf(trouble);
    }
  }
}
