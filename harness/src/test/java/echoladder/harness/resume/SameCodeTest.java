package echoladder.harness.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.Environment;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.results.ResumedRecord.Difference;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.run.MeasuredPrograms;
import echoladder.harness.run.RunSetup;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Further rungs are measured by what measured those before: a checkout of its own, built, changed and built again. */
class SameCodeTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");
  private static final String SERVER =
      """
      name: %s
      title: A server
      protocol: tcp
      role: contender
      runtime: %s
      command: [%s]
      """;

  @TempDir private Path root;
  @TempDir private Path other;
  private TestCheckout checkout;
  private String jdk = "";

  // Set before each test.
  @SuppressWarnings("NullAway.Init")
  SameCodeTest() {}

  @BeforeEach
  void aBuiltCheckout() throws Exception {
    jdk = other.resolve("jdk-30").toString();
    aJdk("first");
    checkout =
        new TestCheckout(root)
            .write("servers/on-jvm/server.yaml", SERVER.formatted("on-jvm", "jvm", "\"{java}\", \"-cp\", \"{dir}/target/lib/*\", \"Main\""))
            .write("servers/on-go/server.yaml", SERVER.formatted("on-go", "go", "\"{dir}/target/on-go\""))
            .write("servers/on-jvm/Main.java", "class Main {}")
            .write(".gitignore", "target\n")
            .study(
                "s",
                """
                name: s
                question: Is it the same code?
                servers: [on-go, {name: on-jvm, jdk: %s}]
                rungs: [2]
                load: {rate: {total: 100/s}}
                phases: {steady: 1s}
                """
                    .formatted(jdk));
    build("jar", "binary");
    git("init", "-q");
    commit();
  }

  private void aJdk(String modules) throws IOException {
    for (String file : List.of("bin/java", "release", "lib/modules", "lib/server/libjvm.so")) {
      Path at = Path.of(jdk, file);
      Files.createDirectories(at.getParent());
      Files.writeString(at, file + modules);
      assertThat(at.toFile().setExecutable(true)).isTrue();
    }
  }

  private void build(String jar, String binary) {
    checkout.write("servers/on-jvm/target/lib/main.jar", jar).write("servers/on-go/target/on-go", binary);
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(List.of("git", "-c", "user.name=t", "-c", "user.email=t@localhost"));
    argv.addAll(List.of(arguments));
    Process git = new ProcessBuilder(argv).directory(root.toFile()).redirectErrorStream(true).start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(git.waitFor()).as(said).isZero();
  }

  private void commit() throws IOException, InterruptedException {
    git("add", "-A");
    git("commit", "-q", "-m", "x");
  }

  private RunSetup setup() {
    InstalledClients clients = new InstalledClients(List.of("java", "-cp", root.resolve("servers/on-jvm/target/lib").toString()), Map.of());
    Study study = new StudyReader(checkout.checkout(), checkout.servers()).read("s");
    return new RunSetup(checkout.checkout(), study, checkout.servers(), clients, null, List.of());
  }

  private Map<String, Map<String, String>> programs() {
    return MeasuredPrograms.of(setup());
  }

  private Map<String, @Nullable Object> environment() {
    Map<String, @Nullable Object> environment = new LinkedHashMap<>(Environment.read(checkout.checkout()));
    environment.put(ProgramHashes.KEY, programs());
    return environment;
  }

  private RunRecord begun(Map<String, @Nullable Object> environment) throws IOException {
    ObjectNode run = (ObjectNode) RunFolder.tree(RunFolder.parse(Files.readString(GOLDEN)));
    run.set("environment", RunFolder.tree(environment));
    run.set("servers", RunFolder.tree(setup().recorded()));
    // Those are of other servers.
    run.putArray("rungs");
    run.putArray("climbs");
    run.set("client_command", RunFolder.tree(setup().clientCommand()));
    run.put("instrument_version", Instrument.VERSION);
    return RunFolder.parse(run.toString());
  }

  private Resumption resumed(RunRecord run) {
    return Resumption.of(setup(), new RunFolder(root), run, programs());
  }

  private void isRefused(RunRecord run, String... naming) {
    assertThatThrownBy(() -> resumed(run)).isInstanceOf(Refusal.class).hasMessageContainingAll(naming);
  }

  @Test
  void whatIsAsItWasIsResumed() throws Exception {
    RunRecord run = begun(environment());
    assertThat(resumed(run).differences()).isEmpty();
    // No figure depends on a page.
    checkout.write("README.md", "changed");
    commit();
    assertThat(resumed(run).differences()).extracting(Difference::name).containsExactly("ladder.git_commit");
  }

  @Test
  void dirtyThenDifferentlyDirtyOrCleanIsRefused() throws Exception {
    checkout.write("servers/on-jvm/Main.java", "class Main { int one; }");
    build("jar of one", "binary");
    RunRecord run = begun(environment());
    assertThat(resumed(run).differences()).isEmpty();
    checkout.write("servers/on-jvm/Main.java", "class Main { int two; }");
    build("jar of two", "binary");
    isRefused(run, "code.on-jvm.servers/on-jvm/target/lib/main.jar was '", "' and is '");
    git("checkout", "-q", "servers");
    build("jar", "binary");
    isRefused(run, "code.on-jvm.servers/on-jvm/target/lib/main.jar was '");
  }

  @Test
  void untrackedSourcesAreRefusedByWhatTheyMake() throws Exception {
    RunRecord run = begun(environment());
    checkout.write("servers/on-jvm/More.java", "class More {}").write("servers/on-jvm/target/lib/more.jar", "more");
    isRefused(run, "code.on-jvm.servers/on-jvm/target/lib/more.jar was '–' and is '");
  }

  @Test
  void aRebuiltGoBinaryIsRefused() throws Exception {
    RunRecord run = begun(environment());
    build("jar", "binary by another compiler");
    isRefused(run, "code.on-go.servers/on-go/target/on-go was '");
  }

  @Test
  void anotherJdkAtTheSamePlaceIsRefused() throws Exception {
    RunRecord run = begun(environment());
    aJdk("second");
    isRefused(run, "code.jdk jdk-30.lib/modules was '", "code.jdk jdk-30.lib/server/libjvm.so was '", "code.jdk jdk-30.release was '");
  }

  @ParameterizedTest
  @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "GOMEMLIMIT", "GODEBUG", "LD_PRELOAD", "GLIBC_TUNABLES"})
  void aVariableThatRuntimesHeedIsRefused(String name) throws Exception {
    Map<String, @Nullable Object> environment = environment();
    environment.put("variables", Map.of(name, "x"));
    isRefused(begun(environment), "variables." + name + " was 'x' and is '–'");
  }

  /** Nothing tells what an older run was measured by, so nothing is added to it; its report is written as before. */
  @Test
  void anOlderRunWithoutHashesIsRefused() throws Exception {
    Map<String, @Nullable Object> old = environment();
    old.remove(ProgramHashes.KEY);
    isRefused(begun(old), "kept no hashes of what ran: libraries, binaries, JDKs", "the ladder of its commit (commit ");
  }

  @Test
  void aRunOfAnotherInstrumentIsRefused() throws Exception {
    ObjectNode run = (ObjectNode) RunFolder.tree(begun(environment()));
    run.put("instrument_version", Instrument.VERSION + 1);
    isRefused(RunFolder.parse(run.toString()), "it was begun with instrument version " + (Instrument.VERSION + 1));
    run.remove("instrument_version");
    isRefused(RunFolder.parse(run.toString()), "it was begun with instrument version 1");
  }
}
