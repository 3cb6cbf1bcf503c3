package echoladder.needs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** From a test that is skipped to the list at the end of a build. */
final class SkippedListTest {
  private static final String NFT = "lacks nft: nft is not on PATH; get it: apt-get install nftables (Debian, Ubuntu)";

  @TempDir private Path root = Path.of("");

  /** Run by the test below, not by the build: its name is none of a test. */
  static final class Skipping {
    @ParameterizedTest
    @ValueSource(strings = {"a.md", "b.md"})
    void ofPages(String page) {
      assumeTrue(page.equals("a.md"), NFT + "\nand more");
    }

    @Test
    void runs() {}
  }

  /** Run by the test below, too. */
  static final class Running {
    @Test
    void runs() {}
  }

  private static void run(Path folder, Class<?>... classes) {
    LauncherConfig alone = LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Stream.of(classes).map(DiscoverySelectors::selectClass).toList())
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
    LauncherFactory.create(alone).execute(request.build(), new SkipListener(folder));
  }

  private String printed(SkippedList list) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    list.print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatIsSkippedIsListedUntilItRuns() throws IOException {
    assertThat(printed(SkippedList.of(root, null))).isEqualTo("skipped: nothing, every test and every page of this build ran\n");
    Path folder = root.resolve("servers/kit").resolve(Skip.FOLDER);
    run(folder, Skipping.class, Running.class);
    assertThat(folder).isDirectoryContaining("glob:**" + Skip.ENDING);
    SkippedList list = SkippedList.of(root, null);
    assertThat(printed(list))
        .contains("skipped: 1 of the tests and pages", NFT + " and more\n")
        .containsPattern("\n    SkippedListTest\\$Skipping\\.ofPages .*b\\.md")
        .doesNotContain("Running", "a.md", "may not be missing");
    // The same class again, without what was skipped.
    Path file;
    try (Stream<Path> files = Files.list(folder)) {
      file = files.findFirst().orElseThrow();
    }
    Files.move(file, file.resolveSibling("echoladder.needs.SkippedListTest" + Skip.ENDING));
    run(folder, Running.class);
    assertThat(printed(SkippedList.of(root, null))).startsWith("skipped: nothing");
  }

  @Test
  void whatMayNotBeMissingIsSaid() throws IOException {
    Path folder = Files.createDirectories(root.resolve("harness").resolve(Skip.FOLDER));
    Files.writeString(
        folder.resolve("A.tsv"), new Skip("A.one", NFT).line() + new Skip("A.two", "lacks tcpkali: x; " + NFT).line());
    Files.writeString(folder.resolve("B.tsv"), new Skip("B.three", "too much work for others").line());
    assertThat(printed(SkippedList.of(root, List.of("nft", "tcpkali")))).endsWith("may not be missing here: B.three\n");
    assertThat(printed(SkippedList.of(root, List.of("nft")))).endsWith("may not be missing here: A.two, B.three\n");
    assertThat(printed(SkippedList.of(root, null))).contains("skipped: 3 of").doesNotContain("may not");
  }

  /** It ran, and what it showed is in a server.yaml. */
  @Test
  void whatFailedAsExpectedIsListedApartAndLacksNothing() throws IOException {
    Path folder = Files.createDirectories(root.resolve("servers/kit").resolve(Skip.FOLDER));
    String reason = SkippedList.EXPECTED_FAILURE + "s: back-pressure: the library reads on";
    Files.writeString(folder.resolve("A.tsv"), new Skip("A.one", reason).line());
    assertThat(printed(SkippedList.of(root, List.of("none"))))
        .isEqualTo(
            """
            failed as expected: 1 of the tests, for what a server.yaml says that its library cannot do
            - fails as expected, s: back-pressure: the library reads on
                A.one
            skipped: nothing, every test and every page of this build ran
            """);
    Files.writeString(folder.resolve("B.tsv"), new Skip("B.two", NFT).line());
    assertThat(printed(SkippedList.of(root, List.of("none")))).endsWith("may not be missing here: B.two\n").contains("skipped: 1 of");
  }

  @Test
  void aNeedSaysWhatItLacksAndIsFoundByItsName() {
    assertThat(Stream.of(Need.values()).map(Need::id)).doesNotHaveDuplicates();
    for (Need need : Need.values()) {
      assertThat(Need.of(need.id())).isSameAs(need);
      assertThat(need.lack()).satisfiesAnyOf(
          lack -> assertThat(lack).isEmpty(),
          lack -> assertThat(lack).startsWith("lacks " + need.id() + ": ").contains("; get it: "));
    }
    assertThatThrownBy(() -> Need.of("netcat")).hasMessageContaining("no need is called 'netcat'");
  }
}
