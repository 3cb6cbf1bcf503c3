package echoladder.harness.server;

import echoladder.client.Protocol;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A server.yaml: how a server is started and what it can be told.
 *
 * @param dir its folder, absolute; {@code {dir}} of the command
 * @param name the folder's name
 * @param title for reports
 * @param protocol {@code tcp} or {@code http}
 * @param role {@code contender}, or {@code reference} for the floor that others are compared with
 * @param runtime {@code jvm} or {@code go}
 * @param command argv with the placeholders {@code {java}}, {@code {dir}} and {@code {jvm}}
 * @param options beyond those every server takes, by name; those of jvm_options among them
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
    List<String> command,
    Map<String, Option> options,
    @Nullable BytesPerConnection bytesPerConnection,
    int threadsPerConnection) {

  /** The file that makes a folder a server. */
  public static final String FILE = "server.yaml";

  private static final Set<String> KEYS =
      Set.of("name", "title", "protocol", "modes", "role", "runtime", "command", "options", "jvm_options",
          "bytes_per_connection", "threads_per_connection");
  private static final Set<String> OPTION_KEYS = Set.of("default", "values", "min", "max", "why");
  private static final Set<String> JVM_OPTION_KEYS = Set.of("flag", "default", "values", "min", "max", "why");
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
    command = List.copyOf(command);
    options = new LinkedHashMap<>(options);
  }

  /** Whether others are compared with it. */
  public boolean reference() {
    return role.equals("reference");
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
   * @throws Refusal (bad usage) saying file, line, key and what is wrong
   */
  public static ServerManifest read(Path file, String shown) {
    YamlTree yaml = YamlTree.read(file, shown);
    JsonNode root = yaml.root();
    refuseUnknown(yaml, root, "", KEYS);
    List<String> command = texts(yaml, "/command", true);
    Map<String, Option> options = new LinkedHashMap<>();
    for (var option : root.path("options").properties()) {
      options.put(option.getKey(), option(yaml, "/options/" + option.getKey(), option.getValue()));
    }
    for (var option : root.path("jvm_options").properties()) {
      String pointer = "/jvm_options/" + option.getKey();
      if (options.put(option.getKey(), jvmOption(yaml, pointer, option.getValue())) != null) {
        throw Refusal.badUsage(yaml.at(pointer) + ": an option of that name is among 'options' already");
      }
    }
    if (root.has("jvm_options") && !command.contains(JVM)) {
      throw Refusal.badUsage(yaml.at("/command") + ": there are jvm_options, but no part of the command is '{jvm}'");
    }
    Path dir = file.toAbsolutePath().normalize().getParent();
    String name = text(yaml, "/name");
    if (dir == null || !dir.endsWith(name)) {
      throw Refusal.badUsage(yaml.at("/name") + ": '" + name + "' is not the name of its folder, " + dir);
    }
    return new ServerManifest(
        dir,
        name,
        text(yaml, "/title"),
        oneOf(yaml, "/protocol", Set.of("tcp", "http")),
        oneOf(yaml, "/role", Set.of("contender", "reference")),
        oneOf(yaml, "/runtime", Set.of("jvm", "go")),
        command,
        options,
        bytesPerConnection(yaml),
        threadsPerConnection(yaml));
  }

  private static @Nullable BytesPerConnection bytesPerConnection(YamlTree yaml) {
    JsonNode figure = yaml.root().path("bytes_per_connection");
    if (figure.isMissingNode()) {
      return null;
    }
    refuseUnknown(yaml, figure, "/bytes_per_connection", Set.of("value", "source"));
    JsonNode value = figure.path("value");
    JsonNode source = figure.path("source");
    if (!value.canConvertToLong() || value.asLong() < 1 || !source.isString() || source.asString().isBlank()) {
      throw Refusal.badUsage(
          yaml.at("/bytes_per_connection") + ": expected {value: BYTES, source: the command that measured it}");
    }
    return new BytesPerConnection(value.asLong(), source.asString());
  }

  private static int threadsPerConnection(YamlTree yaml) {
    JsonNode threads = yaml.root().path("threads_per_connection");
    if (threads.isMissingNode()) {
      return 0;
    }
    if (!threads.canConvertToInt() || threads.asInt() < 0 || threads.asInt() > 16) {
      throw Refusal.badUsage(yaml.at("/threads_per_connection") + ": expected a whole number from 0 to 16");
    }
    return threads.asInt();
  }

  private static Option jvmOption(YamlTree yaml, String pointer, JsonNode node) {
    refuseUnknown(yaml, node, pointer, JVM_OPTION_KEYS);
    String flag = text(yaml, pointer + "/flag");
    if (!flag.contains(VALUE)) {
      throw Refusal.badUsage(yaml.at(pointer + "/flag") + ": '" + flag + "' has no place for the value, '{value}'");
    }
    return option(yaml, pointer, node, flag);
  }

  private static Option option(YamlTree yaml, String pointer, JsonNode node) {
    refuseUnknown(yaml, node, pointer, OPTION_KEYS);
    return option(yaml, pointer, node, null);
  }

  private static Option option(YamlTree yaml, String pointer, JsonNode node, @Nullable String flag) {
    if (!node.path("default").isValueNode()) {
      throw Refusal.badUsage(yaml.at(pointer) + ": the key 'default' is missing");
    }
    return new Option(
        node.get("default").asString(),
        texts(yaml, pointer + "/values", false),
        node.has("min") ? (Long) node.get("min").asLong() : null,
        node.has("max") ? (Long) node.get("max").asLong() : null,
        text(yaml, pointer + "/why"),
        flag);
  }

  private static void refuseUnknown(YamlTree yaml, JsonNode node, String pointer, Set<String> known) {
    for (String key : node.propertyNames()) {
      if (!known.contains(key)) {
        throw Refusal.badUsage(
            yaml.at(pointer + "/" + key) + ": unknown key; known here: " + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  private static String text(YamlTree yaml, String pointer) {
    JsonNode value = yaml.root().at(pointer);
    if (!value.isString() || value.asString().isBlank()) {
      throw Refusal.badUsage(yaml.at(pointer) + ": a text is needed here");
    }
    return value.asString();
  }

  private static String oneOf(YamlTree yaml, String pointer, Set<String> allowed) {
    String value = text(yaml, pointer);
    if (!allowed.contains(value)) {
      throw Refusal.badUsage(
          yaml.at(pointer) + ": '" + value + "' is not allowed; one of " + allowed.stream().sorted().toList());
    }
    return value;
  }

  private static List<String> texts(YamlTree yaml, String pointer, boolean needed) {
    JsonNode list = yaml.root().at(pointer);
    if (list.isMissingNode() && !needed) {
      return List.of();
    }
    if (!list.isArray() || list.isEmpty()) {
      throw Refusal.badUsage(yaml.at(pointer) + ": a list of texts is needed here");
    }
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asString()));
    return texts;
  }
}
