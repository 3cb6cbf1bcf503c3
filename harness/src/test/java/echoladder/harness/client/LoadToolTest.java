package echoladder.harness.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import echoladder.harness.Derived;
import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Load tools as the class path has them, and what follows from their rows. */
class LoadToolTest {
  private final InstalledClients clients = new InstalledClients(List.of("java"), Map.of());

  static List<LoadTool> tools() {
    return LoadTools.all();
  }

  @ParameterizedTest
  @MethodSource("tools")
  void itsClientBearsItsName(LoadTool tool) throws IOException {
    assertThat(clients.make(tool, Path.of("never-written"), List.of()).name()).isEqualTo(tool.id());
    assertThat(LoadTools.ofId(tool.id())).isSameAs(tool);
    Path page = Path.of("../clients", tool.id(), "README.md");
    if (!Files.exists(page)) {
      // The other loop of our own client is on the same page.
      assertThat(Path.of("../clients/open-loop/README.md")).content().contains("\n## `client: " + tool.id() + "`\n");
    }
  }

  /** A folder under clients/ that names a tool is one once both poms have its row. */
  @Test
  void eachFolderThatNamesOneIsInTheBuild() throws IOException {
    List<String> named = new ArrayList<>();
    try (Stream<Path> folders = Files.list(Path.of("../clients"))) {
      for (Path folder : folders.toList()) {
        Path file = folder.resolve("src/main/resources/META-INF/services").resolve(LoadTool.class.getName());
        if (Files.exists(file)) {
          named.addAll(Files.readAllLines(file));
        }
      }
    }
    assertThat(tools()).extracting(tool -> tool.getClass().getName()).containsExactlyInAnyOrderElementsOf(named);
  }

  @Test
  void theSchemaOfStudiesListsThem() throws IOException {
    String names = tools().stream().map(tool -> '"' + tool.id() + '"').collect(Collectors.joining(", "));
    Derived.follows(
        LoadToolTest.class, "docs/study.schema.json",
        page ->
            page.replaceAll(
                "(\"client\": \\{\\s*\"enum\": )\\[[^\\]]*\\](,\\s*\"description\": )\"[^\"]*\"",
                "$1" + Matcher.quoteReplacement("[" + names + "]") + "$2"
                    + Matcher.quoteReplacement('"' + LoadTools.description() + '"')));
  }

  @Test
  void saysWhatFits() {
    // Of others' tools those alone that must be there: one more is no row of this test.
    assertThat(LoadTools.ids()).startsWith("open-loop", "closed-loop").contains("h2load", "tcpkali", "wrk2");
    assertThat(LoadTools.ids().subList(2, LoadTools.ids().size())).isSorted();
    assertThat(LoadTools.fitting(Protocol.TCP).split(", ")).startsWith("open-loop").contains("tcpkali").doesNotContain("closed-loop", "h2load", "wrk2");
    assertThat(LoadTools.fitting(Protocol.HTTP).split(", ")).startsWith("open-loop").contains("h2load", "wrk2").doesNotContain("closed-loop", "tcpkali");
    assertThat(LoadTools.fitting(Protocol.WEBSOCKET).split(", ")).startsWith("open-loop").doesNotContain("closed-loop", "h2load", "tcpkali", "wrk2");
    assertThat(LoadTools.embedded().id()).isEqualTo("open-loop");
  }

  private static List<LoadTool> with(Path folder, String provider) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(LoadTool.class.getName()), provider + "\n");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, LoadTools.class.getClassLoader())) {
      return LoadTools.load(loader);
    }
  }

  @Test
  void aJarOnTheClassPathAddsOne(@TempDir Path folder) throws IOException {
    List<String> ids = with(folder, OnceTool.class.getName()).stream().map(LoadTool::id).toList();
    assertThat(ids).contains("once").hasSize(tools().size() + 1).containsAll(LoadTools.ids());
    assertThat(ids.subList(2, ids.size())).as("after those of this project, by name").isSorted();
  }

  @Test
  void aJarWhoseToolCannotBeMadeIsNamed(@TempDir Path folder) {
    assertThatThrownBy(() -> with(folder, "no.such.Tool"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("one could not be made: ")
        .hasMessageContaining("no.such.Tool")
        .hasMessageContaining("Take that jar away");
  }
}
