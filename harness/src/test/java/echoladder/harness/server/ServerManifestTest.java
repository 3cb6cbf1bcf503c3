package echoladder.harness.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerManifestTest {
  private static final String GOOD =
      """
      name: one
      title: One
      protocol: tcp
      role: contender
      runtime: go
      command: ["{dir}/one", "{java}"]
      options:
        size: {default: 1, min: 0, max: 5, why: "because"}
        kind: {default: a, values: [a, b], why: "because"}
      """;

  @TempDir private Path dir;

  private ServerManifest one(String yaml) {
    TestCheckout test = new TestCheckout(dir).write("servers/one/server.yaml", yaml);
    return Objects.requireNonNull(test.servers().get("one"));
  }

  @Test
  void givesEveryOptionInOrder() {
    ServerManifest one = one(GOOD);
    Path home = dir.resolve("servers/one");
    assertThat(one.argv(Path.of("/j/java"), ServerSettings.DEFAULT.with(Map.of("kind", "b"))))
        .containsExactly(
            home + "/one", "/j/java",
            "--host", "127.0.0.1", "--port", "0", "--backlog", "4096", "--metrics-port", "0", "--drain", "5000ms",
            "--stop-on-stdin-eof", "--size", "1", "--kind", "b");
    assertThat(one.reference()).isFalse();
    assertThat(one.inForce(Map.of())).containsExactly(Map.entry("kind", "a"), Map.entry("size", "1"));
  }

  @Test
  void declaresWhatAConnectionCostsIt() {
    assertThat(one(GOOD).bytesPerConnection()).isNull();
    assertThat(one(GOOD).threadsPerConnection()).isZero();
    ServerManifest one = one(GOOD + "bytes_per_connection: {value: 5000, source: a run}\nthreads_per_connection: 1\n");
    assertThat(one.bytesPerConnection()).isEqualTo(new ServerManifest.BytesPerConnection(5_000, "a run"));
    assertThat(one.threadsPerConnection()).isEqualTo(1);
    for (String bad : List.of("5000", "{value: 5000}")) {
      assertThatThrownBy(() -> one(GOOD + "bytes_per_connection: " + bad + "\n"))
          .hasMessageContaining("expected {value: BYTES, source: the command that measured it}");
    }
    for (String bad : List.of("{value: 0, source: a run}", "{value: many, source: a run}")) {
      assertThatThrownBy(() -> one(GOOD + "bytes_per_connection: " + bad + "\n"))
          .hasMessageContaining(":10: bytes_per_connection.value: ")
          .hasMessageContaining("is not allowed; a whole number of bytes");
    }
    assertThatThrownBy(() -> one(GOOD + "threads_per_connection: 17\n")).hasMessageContaining("from 0 to 16");
  }

  /** The option that says so last decides; what its value leaves out is not measured. */
  @Test
  void anOptionMaySayWhatAConnectionCostsWithIt() {
    String yaml =
        GOOD.replace(
                "kind: {default: a, values: [a, b], why: \"because\"}",
                "kind: {default: a, values: [a, b], why: \"because\","
                    + " costs: {b: {threads_per_connection: 2, bytes_per_connection: {value: 9000, source: a run with b}}}}")
            .replace("why: \"because\"}\n  kind", "why: \"because\", costs: {5: {}}}\n  kind")
            + "bytes_per_connection: {value: 5000, source: a run}\nthreads_per_connection: 1\n";
    ServerManifest one = one(yaml);
    var bytes = new ServerManifest.BytesPerConnection(5_000, "a run");
    var more = new ServerManifest.BytesPerConnection(9_000, "a run with b");
    assertThat(one.cost(Map.of())).isEqualTo(new ServerManifest.ConnectionCost(1, bytes));
    assertThat(one.cost(Map.of("kind", "b"))).isEqualTo(new ServerManifest.ConnectionCost(2, more));
    assertThat(one.cost(Map.of("size", "5"))).isEqualTo(new ServerManifest.ConnectionCost(0, null));
    assertThat(one.cost(Map.of("size", "5", "kind", "b"))).isEqualTo(new ServerManifest.ConnectionCost(2, more));
    assertThatThrownBy(() -> one(GOOD.replace("values: [a, b],", "values: [a, b], costs: {c: {threads_per_connection: 2}},")))
        .hasMessageContaining("options.kind.costs: 'c' is not allowed; one of a, b");
  }

  @Test
  void turnsJvmOptionsIntoFlagsWhereTheCommandSaysSo() {
    String jvm =
        GOOD.replace("\"{java}\"", "\"{java}\", \"{jvm}\", \"Main\"").replace("runtime: go", "runtime: jvm")
            + "jvm_options:\n  gc: {flag: \"-XX:+Use{value}GC\", default: G1, values: [G1, Serial], why: \"because\"}\n";
    ServerManifest one = one(jvm);
    Path home = dir.resolve("servers/one");
    assertThat(one.argv(Path.of("/j/java"), Map.of()))
        .containsExactly(home + "/one", "/j/java", "-XX:+UseG1GC", "Main");
    assertThat(one.argv(Path.of("/j/java"), ServerSettings.DEFAULT.with(Map.of("gc", "Serial"))))
        .startsWith(home + "/one", "/j/java", "-XX:+UseSerialGC", "Main", "--host")
        .doesNotContain("--gc");
    assertThat(one.inForce(Map.of())).containsEntry("gc", "G1");
    assertThat(one.complaint("gc", "Epsilon")).contains("one of G1, Serial");
    assertThatThrownBy(() -> one(jvm.replace("\"{jvm}\", ", ""))).hasMessageContaining("no part of the command is '{jvm}'");
    assertThatThrownBy(() -> one(jvm.replace("{value}", "G1"))).hasMessageContaining("a flag of the JVM with a place for the value");
    assertThatThrownBy(() -> one(jvm.replace("  gc:", "  size:"))).hasMessageContaining("among 'options' already");
    assertThatThrownBy(() -> one(jvm.replace("runtime: jvm", "runtime: go"))).hasMessageContaining("runtime: jvm");
    assertThat(one(jvm.replace("default: G1", "default: unset").replace("[G1, ", "[unset, ")).argv(Path.of("/j"), Map.of()))
        .doesNotContain("-XX:+UseunsetGC");
  }

  @Test
  void givesVariablesByTheEnvironmentAndLeavesOutWhatIsUnset() {
    ServerManifest one =
        one(GOOD + "variables:\n  arenas: {variable: ARENA_MAX, default: unset, min: 1, max: 8, why: \"because\"}\n");
    Path home = dir.resolve("servers/one");
    assertThat(one.argv(Path.of("/j/java"), Map.of())).containsExactly(home + "/one", "/j/java");
    assertThat(one.argv(Path.of("/j/java"), ServerSettings.DEFAULT.with(Map.of("arenas", "2"))))
        .startsWith("env", "ARENA_MAX=2", home + "/one", "/j/java", "--host")
        .doesNotContain("--arenas");
    assertThat(one.complaint("arenas", "unset")).isNull();
    assertThat(one.complaint("arenas", "9")).isEqualTo("'9' is not allowed; unset, or a whole number from 1 to 8");
  }

  @Test
  void hasAnEntryWhereAnOptionHasATunedValue() {
    ServerManifest stockOnly = one(GOOD);
    assertThat(stockOnly.options()).doesNotContainKey("entry");
    assertThat(stockOnly.complaint("entry", "stock")).isNull();
    assertThat(stockOnly.complaint("entry", "tuned")).isEqualTo("'one' has no entry 'tuned': none of its options has a tuned value; it has stock");
    ServerManifest one = one(GOOD.replace("max: 5,", "max: 5, tuned: {value: 2, why: \"better\"},"));
    assertThat(one.inForce(Map.of())).containsEntry("entry", "stock").containsEntry("size", "1");
    Map<String, String> tuned = one.resolved(Map.of("entry", "tuned"));
    assertThat(tuned).isEqualTo(Map.of("entry", "tuned", "size", "2"));
    assertThat(one.argv(Path.of("/j/java"), ServerSettings.DEFAULT.with(tuned)))
        .endsWith("--size", "2", "--kind", "a", "--entry", "tuned");
    assertThat(one.resolved(Map.of("entry", "tuned", "size", "3"))).containsEntry("size", "3");
    assertThatThrownBy(() -> one(GOOD.replace("max: 5,", "max: 5, tuned: {value: 6, why: \"better\"},")))
        .hasMessageContaining(":8: options.size.tuned.value: '6' is not allowed; a whole number from 0 to 5");
    assertThatThrownBy(() -> one(GOOD.replace("max: 5,", "max: 5, tuned: {value: 2},")))
        .hasMessageContaining("the key 'why' is missing");
  }

  @Test
  void namesTheClausesThatItsLibraryCannotKeep() {
    assertThat(one(GOOD).cannot()).isEmpty();
    assertThat(one(GOOD + "cannot: {back-pressure: \"it reads on\"}\n").cannot()).isEqualTo(Map.of("back-pressure", "it reads on"));
    assertThatThrownBy(() -> one(GOOD + "cannot: {back-pressure: ''}\n")).hasMessageContaining("why the library cannot keep it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name: one|name: two|servers/one/server.yaml:1: name: 'two' is not the name of its folder",
        "name: one|name: One|servers/one/server.yaml:1: name: 'One' is not allowed; the name of its folder: lower-case",
        "title: One|titel: One|servers/one/server.yaml:2: titel: unknown key; known here: name, title, protocol",
        "title: One||servers/one/server.yaml:1: the key 'title' is missing; a server is a map of name, title,",
        "title: One|title: ' '|servers/one/server.yaml:2: title: ' ' is not allowed; a text of 1 to 100 characters",
        "protocol: tcp|protocol: udp|protocol: 'udp' is not allowed; one of tcp, http",
        "role: contender|role: best|role: 'best' is not allowed; one of contender, reference",
        "runtime: go|runtime: rust|runtime: 'rust' is not allowed; one of jvm, go, native",
        "command: [`{dir}/one`, `{java}`]|command: []|:6: command: [] is not allowed; a list of 1 to 100 texts: the program",
        "command: [`{dir}/one`, `{java}`]|command: [7]|:6: command[0]: 7 is not allowed; a text; numbers want quotes",
        "min: 0, max: 5|least: 0|options.size.least: unknown key; known here: default, values, min, max, tuned, costs, why",
        "default: a, ||options.kind: the key 'default' is missing; an option is a map of default, why",
        "default: a|default: c|:9: options.kind.default: 'c' is not allowed; one of a, b",
        "default: 1|default: 6|:8: options.size.default: '6' is not allowed; a whole number from 0 to 5",
        "min: 0|min: low|:8: options.size.min: 'low' is not allowed; a whole number of at most 18 digits",
        "size:|port:|:8: options.port: an option's name has at most 64 lower-case letters, digits and '-', and is none",
        "size:|Size:|:8: options.Size: an option's name has at most 64 lower-case letters",
        "runtime: go|runtime: {}|runtime: {} is not allowed; one of jvm, go, native",
        "role: contender|build: cc one.c|build: 'cc one.c' is not allowed; a list of 1 to 100 texts: the program and arguments",
      })
  void saysWhatIsWrong(String good, String bad, String message) {
    String from = good.replace('`', '"');
    assertThat(GOOD).contains(from);
    assertThatThrownBy(() -> one(GOOD.replace(from, bad == null ? "" : bad)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(message);
  }

  @Test
  void listsAllThatIsWrongAtOnce() {
    assertThatThrownBy(() -> one(GOOD.replace("tcp", "udp").replace("go", "rust")))
        .hasMessageContaining("'udp' is not allowed")
        .hasMessageContaining("'rust' is not allowed");
  }

  @Test
  void aProgramWithoutARuntimeMayBuildItselfAndHaveModes() {
    ServerManifest one =
        one(GOOD.replace("runtime: go", "runtime: native") + "build: [cc, one.c]\nmodes: [kind]\n");
    assertThat(one.unmanaged()).isTrue();
    assertThat(one.build()).containsExactly("cc", "one.c");
    assertThat(one.modes()).containsExactly("kind");
    assertThat(one(GOOD).unmanaged()).isFalse();
    assertThatThrownBy(() -> one(GOOD + "modes: [size]\n"))
        .hasMessageContaining("servers/one/server.yaml:10: modes: 'size' is none of 'options' that lists its values");
  }

  @ParameterizedTest
  @CsvSource({"size,0,", "size,5,", "size,6,from 0 to 5", "size,-1,from 0 to 5", "size,x,from 0 to 5", "kind,b,",
    "kind,c,'one of a, b'", "none,1,'has size, kind'"})
  void checksOptions(String option, String value, String complaint) {
    String said = one(GOOD).complaint(option, value);
    if (complaint == null) {
      assertThat(said).isNull();
    } else {
      assertThat(said).contains(complaint);
    }
  }

  @Test
  void findsServersBesideTheFolderServersToo() {
    TestCheckout test = new TestCheckout(dir).write("one/server.yaml", GOOD);
    assertThat(test.servers()).containsOnlyKeys("fake", "one");
    test.write("servers/one/server.yaml", GOOD);
    assertThatThrownBy(test::servers).hasMessageStartingWith("two servers are named 'one'");
  }
}
