package echoladder.harness.client;

import echoladder.client.Protocol;
import echoladder.client.StagedLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A load tool that a study's {@code client} can name. The names stand in docs/study.schema.json too. */
public enum LoadTool {
  /** The embedded client. */
  OPEN_LOOP("open-loop", 0, Protocol.TCP, Protocol.HTTP, Protocol.WEBSOCKET),
  /** The embedded client, driving users in stages who wait for their answers. */
  CLOSED_LOOP("closed-loop", 0, Protocol.HTTP),
  /** A tool of others, started from PATH. */
  TCPKALI("tcpkali", 100_000, Protocol.TCP),
  /** A tool of others, started from PATH. */
  WRK2("wrk2", 0, Protocol.HTTP);

  private final String id;
  private final long serviceStepNs;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes one that cannot be changed
  private final Set<Protocol> protocols;

  LoadTool(String id, long serviceStepNs, Protocol... protocols) {
    this.id = id;
    this.serviceStepNs = serviceStepNs;
    this.protocols = Set.of(protocols);
  }

  /** As in study.yaml and results. */
  public String id() {
    return id;
  }

  /** The steps in which its service times come, cut off; 0 = as fine as a histogram of three digits. */
  public long serviceStepNs() {
    return serviceStepNs;
  }

  /** Whether it can load a server of that protocol. */
  public boolean speaks(Protocol protocol) {
    return protocols.contains(protocol);
  }

  /** Whether it is a process of this project's own. */
  public boolean ours() {
    return this == OPEN_LOOP || this == CLOSED_LOOP;
  }

  /** Whether it can drive users in stages; the others send messages at a rate. */
  public boolean stages() {
    return this == OPEN_LOOP || this == CLOSED_LOOP;
  }

  /** The loop in which it drives users in stages. */
  public StagedLoad.Loop loop() {
    return this == CLOSED_LOOP ? StagedLoad.Loop.CLOSED : StagedLoad.Loop.OPEN;
  }

  /** Whether it can send messages at a rate. */
  public boolean rates() {
    return this != CLOSED_LOOP;
  }

  /** Whether there is one of that name. */
  public static boolean known(String id) {
    return Arrays.stream(values()).anyMatch(tool -> tool.id.equals(id));
  }

  /** The one of that name; an unknown name is an {@link IllegalArgumentException}. */
  public static LoadTool ofId(String id) {
    return Arrays.stream(values())
        .filter(tool -> tool.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no client '" + id + "'; known: " + all()));
  }

  /** Every name, in one line. */
  public static String all() {
    return names(Arrays.asList(values()));
  }

  /** Those that can send messages at a rate to a server of that protocol, in one line. */
  public static String fitting(Protocol protocol) {
    return names(Arrays.stream(values()).filter(tool -> tool.speaks(protocol) && tool.rates()).toList());
  }

  private static String names(List<LoadTool> tools) {
    return tools.stream().map(LoadTool::id).collect(Collectors.joining(", "));
  }
}
