package echoladder.harness.host;

import echoladder.client.Protocol;
import echoladder.harness.probe.HostLook;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Readings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small bodies of questions and answers. */
final class HostReplies {
  private HostReplies() {}

  /** What a {@link HostHello} of any version has. */
  record Who(String version, @Nullable Map<String, @Nullable Object> environment, Map<String, String> program) {}

  /** Nothing more to say. */
  record Done() {}

  /** CLOCK_MONOTONIC. */
  record Clock(long ns) {}

  /** A sentence; null = nothing happened. */
  record Said(@Nullable String text) {}

  /** How a server was stopped, null = by itself; and what its log has. */
  record Stopped(@Nullable String done, String log) {}

  /** Connections that a server is to let go of. */
  record Held(int connections) {}

  /** Whether a server's load was lost. */
  record Doubted(boolean lost) {}

  /** Whether it is so. */
  record Is(boolean so) {}

  /** How deep a sample goes. */
  record Depth(Readings.Depth depth) {}

  /** Seconds; null = not told. */
  record Seconds(@Nullable Double seconds) {}

  /** What was seen of a server, and its processors. */
  record Look(long atNs, @Nullable Long cpuNs, @Nullable Long rssBytes, String failure, @Nullable String cpus) {}

  /** A collection; null where the server has no page for it, which the text says. */
  record Collected(@Nullable LiveHeap heap, String text) {}

  /** Where an echo is checked, and from which address; null = the kernel's choice. */
  record Check(Protocol protocol, String host, int port, @Nullable String source) {}

  /** How quiet a host is; null = it cannot be seen there. */
  record Quiet(@Nullable HostLook look) {}

  /** By name. */
  record SettingValues(Map<String, String> values) {}

  /** Servers of which hashes are asked. */
  record Orders(List<ServerOrder> orders) {}

  /** Hashes by program and file. */
  record Hashes(Map<String, Map<String, String>> programs) {}

  /** A client process by its number; -1 = a new one. */
  record Shard(int number) {}

  /** A line to a client process, or from it. */
  record ShardText(int number, String line) {}
}
