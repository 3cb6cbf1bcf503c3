package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.knobs.LoopbackSetting;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What is set differently for one server of a study, from before it starts until it has stopped.
 *
 * @param sysctl kernel settings by key, of the whole kernel or of this network namespace
 * @param server limits of the server's process alone
 * @param client of the client alone
 * @param rpsOfLo {@link LoopbackSetting#RPS}: {@code all} or {@code 0}, none; null = as it is
 * @param qdiscOfLo {@link LoopbackSetting#QDISC}, e.g. {@code noqueue}; null = as it is
 * @param network between the client and the server; null = loopback
 * @param route attributes of the routes of that network, by their names in ip-route(8)
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record EntrySettings(
    Map<String, String> sysctl, OfServer server, OfClient client,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String rpsOfLo,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String qdiscOfLo,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Network network,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> route) {
  /** Nothing is set. */
  public static final EntrySettings NONE =
      StudyKeys.nothingSaid("/$defs/server/properties/settings", EntrySettings.class);

  public EntrySettings {
    sysctl = new TreeMap<>(sysctl);
    sysctl.replaceAll((key, value) -> value.trim());
    // Runs of before there was such a key have none.
    route = route == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(route));
  }

  /** Without any of loopback. */
  public EntrySettings(Map<String, String> sysctl, OfServer server, OfClient client) {
    this(sysctl, server, client, null, null, null, Map.of());
  }

  /**
   * Limits of a process, which those that it starts inherit.
   *
   * @param nofile RLIMIT_NOFILE, soft and hard; null = as it is
   * @param without capabilities that it shall not have, e.g. {@code sys_admin}
   * @param memoryBytes of a control group of its own; null = none
   * @param tasks of a control group of its own; null = none
   * @param planMemory whether rungs are out of reach for which there is not the memory that its server.yaml reckons with;
   *     null = they are
   * @param planLimits whether rungs are out of reach that the limits in force before do not allow; null = they are
   * @param backlog of its listener; null = as for every server
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record OfServer(
      @Nullable Long nofile,
      List<String> without,
      @Nullable Long memoryBytes,
      @Nullable Long tasks,
      @Nullable Boolean planMemory,
      @Nullable Boolean planLimits,
      @Nullable Integer backlog) {
    public OfServer {
      without = List.copyOf(without);
    }

    /** Whether the plan reckons with the server's own memory. */
    public boolean plansMemory() {
      return planMemory == null || planMemory;
    }

    /** Whether the plan reckons with the limits of the host as they are before anything is set. */
    public boolean plansLimits() {
      return planLimits == null || planLimits;
    }
  }

  /**
   * What the client does otherwise.
   *
   * @param sourceAddresses to connect from; none = its choice
   * @param targetAddresses of loopback at which the server, which then listens at all of them, is loaded; none = 127.0.0.1
   * @param planPorts whether it refuses beforehand what does not fit into half of the ephemeral ports
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record OfClient(List<String> sourceAddresses, List<String> targetAddresses, boolean planPorts) {
    public OfClient {
      sourceAddresses = List.copyOf(sourceAddresses);
      // Runs of before there was such a setting have none.
      targetAddresses = targetAddresses == null ? List.of() : targetAddresses.stream().flatMap(OfClient::each).toList();
    }

    /** {@code 127.0.0.1-40} stands for forty addresses, from 127.0.0.1 to 127.0.0.40; any other text for itself. */
    private static Stream<String> each(String address) {
      int dash = address.indexOf('-');
      String net = address.substring(0, address.lastIndexOf('.') + 1);
      return dash < 0
          ? Stream.of(address)
          : IntStream.rangeClosed(1, Integer.parseInt(address, dash + 1, address.length(), 10)).mapToObj(last -> net + last);
    }

    /** In words, with an {@code and} between two. */
    private String targets() {
      int most = targetAddresses.size();
      return most <= 5
          ? String.join(" and ", targetAddresses)
          : "%d addresses from %s to %s".formatted(most, targetAddresses.getFirst(), targetAddresses.getLast());
    }
  }

  /** What is set of the loopback of the run's network namespace, as the components above have it. */
  public Map<LoopbackSetting, String> loopback() {
    Map<LoopbackSetting, String> loopback = new EnumMap<>(LoopbackSetting.class);
    if (rpsOfLo != null) {
      loopback.put(LoopbackSetting.RPS, rpsOfLo);
    }
    if (qdiscOfLo != null) {
      loopback.put(LoopbackSetting.QDISC, qdiscOfLo);
    }
    return loopback;
  }

  /**
   * Whether nothing is set that a connection feels once it is accepted: a backlog is where it waits before, and the address that it
   * was made to is like any other of loopback.
   */
  public boolean plain() {
    OfServer of = server;
    OfServer other = new OfServer(of.nofile, of.without, of.memoryBytes, of.tasks, of.planMemory, of.planLimits, NONE.server.backlog);
    OfClient ofClient = new OfClient(client.sourceAddresses, NONE.client.targetAddresses, client.planPorts);
    return new EntrySettings(sysctl, other, ofClient, rpsOfLo, qdiscOfLo, network, route).equals(NONE);
  }

  /** In words, for tables; empty where nothing is set. */
  public String words() {
    StringBuilder words = new StringBuilder();
    sysctl.forEach((key, value) -> words.append(", ").append(key).append(" = ").append(value));
    loopback().forEach((setting, value) -> words.append(", ").append(setting.words()).append(" = ").append(value));
    route.forEach((name, value) -> words.append(", ").append(name).append(" of the route = ").append(value));
    if (network != null) {
      words.append(", ").append(network.words());
    }
    if (server.nofile() != null) {
      words.append(", server's nofile = ").append(server.nofile());
    }
    server.without().forEach(capability -> words.append(", server without CAP_").append(capability.toUpperCase(Locale.ROOT)));
    if (server.memoryBytes() != null) {
      words.append(", server's memory = ").append(server.memoryBytes() >> 20).append(" MiB");
    }
    if (server.tasks() != null) {
      words.append(", server's tasks = ").append(server.tasks());
    }
    if (server.backlog() != null) {
      words.append(", server's backlog = ").append(server.backlog());
    }
    if (!client.sourceAddresses().isEmpty()) {
      words.append(", from ").append(String.join(" and ", client.sourceAddresses())).append(" alone");
    }
    if (!client.targetAddresses().isEmpty()) {
      words.append(", loaded at ").append(client.targets());
    }
    return words.isEmpty() ? "" : words.substring(2);
  }
}
