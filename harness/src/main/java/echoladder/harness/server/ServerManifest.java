package echoladder.harness.server;

import echoladder.client.Protocol;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import echoladder.harness.common.YamlTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A server.yaml: how a server is built and started, and what it can be told. Its shape is docs/server.schema.json.
 *
 * @param dir its folder, absolute; {@code {dir}} of the command
 * @param name the folder's name
 * @param title for reports
 * @param protocol {@code tcp} or {@code http}
 * @param role {@code contender}, or {@code reference} for the floor that others are compared with
 * @param runtime {@code jvm}, {@code go}, or {@code native} for a program without a managed runtime
 * @param build argv that builds it in its folder; empty where the project's own build does
 * @param command argv with the placeholders {@code {java}}, {@code {dir}} and {@code {jvm}}
 * @param options beyond those every server takes, by name; those of jvm_options among them
 * @param modes names of options each value of which the contract suite runs as a server of its own
 * @param bytesPerConnection what a connection costs it in user memory; null = not measured
 * @param threadsPerConnection platform threads, 0 to 16
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
    @Nullable BytesPerConnection bytesPerConnection,
    int threadsPerConnection) {

  /** The file that makes a folder a server. */
  public static final String FILE = "server.yaml";

  private static final YamlSchema SCHEMA = new YamlSchema("server");

  /** The part of a command that stands for the JVM's flags in force. */
  private static final String JVM = "{jvm}";
  /** The value of a JVM option that leaves its flag out. */
  private static final String UNSET = "unset";
  private static final String VALUE = "{value}";

  /**
   * One option.
   *
   * @param fallback the default, as text
   * @param values the allowed ones; empty = not a list
   * @param min least number, null = no bound
   * @param max greatest number, null = no bound
   * @param why what it is for
   * @param flag the JVM flag that carries it, {@code {value}} in it; null = an option of the server itself
   */
  public record Option(
      String fallback,
      List<String> values,
      @Nullable Long min,
      @Nullable Long max,
      String why,
      @Nullable String flag) {

    /** What is allowed, for messages. */
    public String allowed() {
      if (!values.isEmpty()) {
        return "one of " + String.join(", ", values);
      }
      return min == null && max == null
          ? "see its server.yaml"
          : "a whole number" + (min == null ? "" : " from " + min) + (max == null ? "" : " to " + max);
    }

    private boolean allows(String value) {
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
   * What a connection costs.
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
    return protocol.equals("http") ? Protocol.HTTP : Protocol.TCP;
  }

  /** What is wrong with that value of that option; null where nothing is. */
  public @Nullable String complaint(String option, String value) {
    Option known = options.get(option);
    if (known == null) {
      return options.isEmpty()
          ? "'" + name + "' has no options of its own"
          : "'" + name + "' has no such option; it has " + String.join(", ", options.keySet());
    }
    return known.allows(value) ? null : "'" + value + "' is not allowed; " + known.allowed();
  }

  /** The argv without the server's options; placeholders replaced, JVM options by those chosen, else by default. */
  public List<String> argv(Path java, Map<String, String> chosen) {
    List<String> argv = new ArrayList<>();
    for (String part : command) {
      if (part.equals(JVM)) {
        options.forEach(
            (name, known) -> {
              String value = chosen.getOrDefault(name, known.fallback());
              if (known.flag() != null && !value.equals(UNSET)) {
                argv.add(known.flag().replace(VALUE, value));
              }
            });
      } else {
        argv.add(part.replace("{java}", java.toString()).replace("{dir}", dir.toString()));
      }
    }
    return argv;
  }

  /** The argv of a server driven by the harness: every option is given, so that the record shows what was in force. */
  public List<String> argv(Path java, ServerSettings settings) {
    List<String> argv = argv(java, settings.options());
    argv.addAll(settings.arguments());
    options.forEach(
        (option, known) -> {
          if (known.flag() == null) {
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
    YamlTree yaml = YamlTree.read(file, shown);
    Refusal.badUsageIfAny(SCHEMA.complaints(yaml));
    JsonNode root = yaml.root();
    List<String> complaints = new ArrayList<>();
    Map<String, Option> options = new LinkedHashMap<>();
    for (String kind : List.of("options", "jvm_options")) {
      for (var option : root.path(kind).properties()) {
        String at = yaml.at("/" + kind + "/" + option.getKey());
        Option read = option(option.getValue());
        if (!read.allows(read.fallback())) {
          complaints.add(at + ".default: '" + read.fallback() + "' is not allowed; " + read.allowed());
        }
        if (options.put(option.getKey(), read) != null) {
          complaints.add(at + ": an option of that name is among 'options' already");
        }
      }
    }
    List<String> modes = texts(root.path("modes"));
    for (String mode : modes) {
      Option option = options.get(mode);
      if (option == null || option.flag() != null || option.values().isEmpty()) {
        complaints.add(yaml.at("/modes") + ": '" + mode + "' is none of 'options' that lists its values");
      }
    }
    Path dir = Objects.requireNonNull(file.toAbsolutePath().normalize().getParent(), "a file has a folder");
    String name = root.path("name").asString();
    if (!dir.endsWith(name)) {
      complaints.add(yaml.at("/name") + ": '" + name + "' is not the name of its folder, " + dir);
    }
    Refusal.badUsageIfAny(complaints);
    JsonNode bytes = root.path("bytes_per_connection");
    return new ServerManifest(
        dir,
        name,
        root.path("title").asString(),
        root.path("protocol").asString(),
        root.path("role").asString(),
        root.path("runtime").asString(),
        texts(root.path("build")),
        texts(root.path("command")),
        options,
        modes,
        bytes.isMissingNode() ? null : new BytesPerConnection(bytes.path("value").asLong(), bytes.path("source").asString()),
        root.path("threads_per_connection").asInt(0));
  }

  private static Option option(JsonNode node) {
    return new Option(
        node.path("default").asString(),
        texts(node.path("values")),
        node.has("min") ? (Long) node.get("min").asLong() : null,
        node.has("max") ? (Long) node.get("max").asLong() : null,
        node.path("why").asString(),
        node.has("flag") ? node.get("flag").asString() : null);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asString()));
    return texts;
  }
}
