package echoladder.client;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A load tool that a study's {@code client} can name: what it can do, and its client. Each is found by {@link java.util.ServiceLoader}:
 * a jar on the class path that names its class in {@code META-INF/services/echoladder.client.LoadTool}. Implementations are public, have
 * a public constructor without parameters, and cannot change.
 */
public interface LoadTool {
  /** As in study.yaml and results, e.g. {@code wrk2}. */
  String id();

  /** Which studies may name it, in a few words for the schema of studies, e.g. {@code HTTP only}. */
  String use();

  /** What its kinds of time are, for reports: one phrase without its end. */
  String timeKinds();

  /** The protocols over which it can load a server. */
  Set<Protocol> protocols();

  /** A new client. */
  LoadClient client(Start start);

  /** The names of its program, the first that is on PATH counts; empty = a process of this project's own. */
  default List<String> programs() {
    return List.of();
  }

  /** The steps in which its service times come, cut off, in ns; 0 = as fine as a histogram of three digits. */
  default long serviceStepNs() {
    return 0;
  }

  /** Whether it can drive users in stages; the others send messages at a rate. */
  default boolean stages() {
    return false;
  }

  /** The loop in which it drives users in stages. */
  default StagedLoad.Loop loop() {
    return StagedLoad.Loop.OPEN;
  }

  /** Whether it can send messages at a rate. */
  default boolean rates() {
    return true;
  }

  /** Whether it is a process of this project's own. */
  default boolean ours() {
    return programs().isEmpty();
  }

  /** Whether it can load a server of that protocol. */
  default boolean speaks(Protocol protocol) {
    return protocols().contains(protocol);
  }

  /**
   * What a client is started with.
   *
   * @param java how a client of this project's own is started: java, its flags and class path
   * @param program where the tool's program is said to be; null = on PATH
   * @param log file for what its process prints
   */
  record Start(List<String> java, @Nullable Path program, Path log) {
    public Start {
      java = List.copyOf(java);
    }
  }
}
