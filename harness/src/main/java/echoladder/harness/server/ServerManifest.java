package echoladder.harness.server;

import echoladder.client.Protocol;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server.yaml: how a server is built and started, and what it can be told. Its shape is docs/server.schema.json.
 *
 * @param dir its folder, absolute; {@code {dir}} of the command
 * @param name the folder's name
 * @param title for reports
 * @param protocol {@code tcp}, {@code http} or {@code websocket}
 * @param role {@code contender}, or {@code reference} for the floor that others are compared with
 * @param runtime {@code jvm}, {@code go}, or {@code native} for a program without a managed runtime
 * @param build argv that builds it in its folder; empty where the project's own build does
 * @param command argv with the placeholders {@code {java}}, {@code {dir}} and {@code {jvm}}
 * @param options beyond those every server takes, by name; those of jvm_options and variables among them, and {@link #ENTRY}
 *     where one of them has a tuned value
 * @param modes names of options each value of which the contract suite runs as a server of its own
 * @param cannot clauses of the contract that its library cannot keep, each with the reason
 * @param bytesPerConnection what a connection costs it in user memory, unless an option says otherwise; null = not measured
 * @param threadsPerConnection platform threads, 0 to 16, likewise
 * @param figuresSince what a run's id begins with, a time such as {@code 20261128T200616Z}: runs with smaller ids measured the server
 *     before it was mended; null = all its runs are of this server
 * @param own null = it has a server.yaml, and keeps the contract; else it has none, and keeps no more of it than the echo
 */
public record ServerManifest(
    Path dir,
    String name,
    String title,
    String protocol,
    String role,
    String runtime,
    List<String> build,
    List<String> command,
    Map<String, Option> options,
    List<String> modes,
    Map<String, String> cannot,
    @Nullable BytesPerConnection bytesPerConnection,
    int threadsPerConnection,
    @Nullable String figuresSince,
    @Nullable OwnServer own) {

  /** A server of the user's own, which is told nothing. */
  static ServerManifest of(OwnServer own) {
    return new ServerManifest(
        Path.of("").toAbsolutePath(), own.name(), own.name(), own.protocol().name().toLowerCase(Locale.ROOT), "contender", "native",
        List.of(), own.argv(), Map.of(), List.of(), Map.of(), null, 0, null, own);
  }

  /** The file that makes a folder a server. */
  public static final String FILE = "server.yaml";

  /** The option that names an entry: the server as it comes, or as its own camp would set it. */
  public static final String ENTRY = "entry";
  /** The server as it comes. */
  public static final String STOCK = "stock";
  /** The server with the values that its options have for a tuned entry. */
  public static final String TUNED = "tuned";

  /** The value of a flag or variable that leaves it out. */
  static final String UNSET = "unset";

  /**
   * One option.
   *
   * @param fallback the default, as text
   * @param values the allowed ones; empty = not a list
   * @param min least number, null = no bound
   * @param max greatest number, null = no bound
   * @param why what it is for
   * @param flag the JVM flag that carries it, {@code {value}} in it; null = none does
   * @param variable the environment variable that carries it; null = none does
   * @param tuned its value in the entry {@link #TUNED}; null = the default there too
   * @param costs what a connection costs with a value, where that differs from what it costs the server otherwise, by the value
   */
  public record Option(
      String fallback,
      List<String> values,
      @Nullable Long min,
      @Nullable Long max,
      String why,
      @Nullable String flag,
      @Nullable String variable,
      @Nullable String tuned,
      Map<String, ConnectionCost> costs) {

    /** Whether the server itself is told it, as {@code --name value}. */
    public boolean toldToServer() {
      return flag == null && variable == null;
    }

    /** What is allowed, for messages. */
    public String allowed() {
      if (!values.isEmpty()) {
        return "one of " + String.join(", ", values);
      }
      return min == null && max == null
          ? "see its server.yaml"
          : (mayBeUnset() ? UNSET + ", or " : "")
              + "a whole number" + (min == null ? "" : " from " + min) + (max == null ? "" : " to " + max);
    }

    private boolean mayBeUnset() {
      return !toldToServer() && fallback.equals(UNSET);
    }

    boolean allows(String value) {
      if (mayBeUnset() && value.equals(UNSET)) {
        return true;
      }
      if (!values.isEmpty()) {
        return values.contains(value);
      }
      if (min == null && max == null) {
        return !value.isBlank();
      }
      if (!value.matches("-?\\d{1,18}")) {
        return false;
      }
      long number = Long.parseLong(value);
      return (min == null || number >= min) && (max == null || number <= max);
    }
  }

  /**
   * What a connection costs a server.
   *
   * @param threads platform threads, 0 to 16
   * @param bytes user memory; null = not measured
   */
  public record ConnectionCost(int threads, @Nullable BytesPerConnection bytes) {}

  /**
   * The memory of one connection.
   *
   * @param value user memory in bytes, from 1
   * @param source the command that measured it, and when
   */
  public record BytesPerConnection(long value, String source) {}

  public ServerManifest {
    build = List.copyOf(build);
    command = List.copyOf(command);
    options = new LinkedHashMap<>(options);
    modes = List.copyOf(modes);
    cannot = new TreeMap<>(cannot);
  }

  /** What a connection costs with the chosen options: what the last of its options says that says something of its value, else its own. */
  public ConnectionCost cost(Map<String, String> chosen) {
    ConnectionCost cost = new ConnectionCost(threadsPerConnection, bytesPerConnection);
    for (Map.Entry<String, Option> option : options.entrySet()) {
      String value = chosen.getOrDefault(option.getKey(), option.getValue().fallback());
      cost = option.getValue().costs().getOrDefault(value, cost);
    }
    return cost;
  }

  /** Whether it does nothing but push, so that no echo can be had of it. */
  public boolean onlyPushes() {
    Option traffic = options.get("traffic");
    return traffic != null && "push".equals(traffic.fallback());
  }

  /** Whether a run measured the server as it is. */
  public boolean measuredBy(String runId) {
    return figuresSince == null || runId.compareTo(figuresSince) >= 0;
  }

  /** Whether others are compared with it. */
  public boolean reference() {
    return role.equals("reference");
  }

  /** Whether it has neither a collector nor its pauses to tell of: then it may lack /gc and the hiccup meter. */
  public boolean unmanaged() {
    return runtime.equals("native");
  }

  /** What its clients must speak. */
  public Protocol speaks() {
    return Protocol.valueOf(protocol.toUpperCase(Locale.ROOT));
  }

  /** What is wrong with that value of that option; null where nothing is. */
  public @Nullable String complaint(String option, String value) {
    Option known = options.get(option);
    if (known == null && option.equals(ENTRY)) {
      return value.equals(STOCK) ? null
          : "'" + name + "' has no entry '" + value + "': none of its options has a tuned value; it has " + STOCK;
    }
    if (known == null) {
      return options.isEmpty()
          ? "'" + name + "' has no options of its own"
          : "'" + name + "' has no such option; it has " + String.join(", ", options.keySet());
    }
    return known.allows(value) ? null : "'" + value + "' is not allowed; " + known.allowed();
  }

  /** The chosen options and, where they name the entry {@link #TUNED}, its values of those that were not chosen. */
  public Map<String, String> resolved(Map<String, String> chosen) {
    Map<String, String> all = new LinkedHashMap<>(chosen);
    if (!options.containsKey(ENTRY)) {
      all.remove(ENTRY, STOCK);
    } else if (TUNED.equals(chosen.get(ENTRY))) {
      options.forEach(
          (option, known) -> {
            if (known.tuned() != null) {
              all.putIfAbsent(option, known.tuned());
            }
          });
    }
    return all;
  }

  /**
   * The argv without the options that the server itself is told; placeholders replaced, JVM flags and variables by those
   * chosen, else by default.
   */
  public List<String> argv(Path java, Map<String, String> chosen) {
    return ServerCommand.argv(this, java, chosen);
  }

  /** The argv of a server driven by the harness: every option is given, so that the record shows what was in force. */
  public List<String> argv(Path java, ServerSettings settings) {
    List<String> argv = argv(java, settings.options());
    argv.addAll(settings.arguments());
    options.forEach(
        (option, known) -> {
          if (known.toldToServer()) {
            argv.add("--" + option);
            argv.add(settings.options().getOrDefault(option, known.fallback()));
          }
        });
    return argv;
  }

  /** The options in force, by name, where those differ from the defaults. */
  public Map<String, String> inForce(Map<String, String> chosen) {
    Map<String, String> all = new TreeMap<>();
    options.forEach((option, known) -> all.put(option, chosen.getOrDefault(option, known.fallback())));
    return all;
  }

  /** Every server of a checkout by name: folders of servers/, and folders beside it, that hold a server.yaml. */
  public static Map<String, ServerManifest> all(Checkout checkout) {
    Map<String, ServerManifest> all = new TreeMap<>();
    for (Path parent : List.of(checkout.root().resolve("servers"), checkout.root())) {
      for (Path dir : folders(parent)) {
        ServerManifest manifest = read(dir.resolve(FILE), checkout.display(dir.resolve(FILE)));
        ServerManifest other = all.put(manifest.name(), manifest);
        if (other != null) {
          throw Refusal.badUsage("two servers are named '" + manifest.name() + "': " + other.dir() + " and " + dir);
        }
      }
    }
    return all;
  }

  /**
   * The manifest of that name.
   *
   * @throws Refusal as bad usage, naming the servers that there are
   */
  public static ServerManifest named(String name, Map<String, ServerManifest> servers) {
    ServerManifest manifest = servers.get(name);
    if (manifest == null) {
      throw Refusal.badUsage(unknown(name, servers));
    }
    return manifest;
  }

  /** Says that there is no server of that name, and which there are. */
  public static String unknown(String name, Map<String, ServerManifest> servers) {
    return "there is no server '" + name + "'; known servers: " + String.join(", ", servers.keySet());
  }

  private static List<Path> folders(Path parent) {
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(dir -> Files.isRegularFile(dir.resolve(FILE))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + parent, e);
    }
  }

  /**
   * Reads one.
   *
   * @param file the server.yaml
   * @param shown how messages name it
   * @throws Refusal (bad usage) listing all that is wrong, each with file, line, key, value and what is allowed
   */
  public static ServerManifest read(Path file, String shown) {
    return ManifestReader.read(file, shown);
  }
}
