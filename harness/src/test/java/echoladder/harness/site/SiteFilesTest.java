package echoladder.harness.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of a small checkout: what it does to the folder it is told, and to texts that are not as they should be. */
class SiteFilesTest {
  private static final String INDEX =
      """
      study,run_id,started_at,servers,rungs_valid,rungs_saturated,rungs_invalid,rungs_not_measured,drift_checks,claims_hold,claims_do_not_hold,claims_cannot_be_told,jvm,go,kernel,cpu,processors,memory_bytes,lab,git_commit,git_dirty
      s,20260101T120000Z-1a2b,2026-01-01T12:00:00Z,fake,3,0,1,0,0,,,,OpenJDK 64-Bit Server VM 25.0.3+9,go version go1.26.8 linux/amd64,6.18,"A <CPU>, fast",2,8589934592,,0123456789abcdef,false
      """;

  @TempDir private Path dir;

  private Path root;
  private Path out;

  @BeforeEach
  void checkout() throws IOException {
    root = dir.resolve("checkout");
    out = dir.resolve("site");
    Files.createDirectories(root);
    new TestCheckout(root);
    put("README.md", "# Home\n\nWhat is it?\n\n## One\n\n**It is this.** And more, in [a page](docs/first.md#the-end), [nothing](docs/nothing.md) and `docs/first.md`.\n");
    put("docs/first.md", "# A & B\n\n<script>alert(1)</script>\n\n| a | b |\n|---|--:|\n| x | 1 |\n\n## The end\n\nSee runbooks/symptoms/threads.md; [all](../studies).\n");
    put("studies/s/study.yaml", TestCheckout.STUDY);
    put("studies/s/STUDY.md", "# s\n\n## Question\nWhy?\n\n## Conclusion\n- **Because of this.** See.\n");
    put("runbooks/symptoms/threads.md", "# threads\n\n## Meaning\nToo many `threads`.\n\n## Impact\nNone.\n");
    put("runbooks/texts.yaml", Files.readString(Checkout.find().root().resolve("runbooks/texts.yaml")));
    put("results/index.csv", INDEX);
    put("results/reference/s/20260101T120000Z-1a2b/REPORT.md", "# s: why?\n\nSo.\n\n![a plot](cpu.svg)\n");
    put("results/reference/s/20260101T120000Z-1a2b/cpu.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>CPU</title></svg>\n");
    put("results/reference/s/20260101T120000Z-1a2b/samples.csv", "a,b\n");
    put("results/points.csv", points("points.csv"));
    put("results/climbs.csv", points("climbs.csv") + "s,20260101T120000Z-1a2b,fake,,shared,2000,server-failed,4000,threads\n");
  }

  /** The header that this version writes. */
  private static String points(String name) throws IOException {
    try (Stream<String> lines = Files.lines(Checkout.find().results().resolve(name))) {
      return lines.findFirst().orElseThrow() + "\n";
    }
  }

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private Site.Made build() {
    return Site.build(new Checkout(root), out);
  }

  private String page(String path) throws IOException {
    return Files.readString(out.resolve(path));
  }

  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    return all;
  }

  @Test
  void textsOfOthersAreShownAndNotObeyed() throws IOException {
    build();
    assertThat(page("docs/first.html")).contains("<h1 id=\"a--b\">A &amp; B</h1>", "&lt;script&gt;alert(1)", "<td class=\"n\">1</td>").doesNotContain("<script>");
    assertThat(page("results/index.html")).contains("A &lt;CPU&gt;, fast").doesNotContain("<CPU>");
  }

  @Test
  void linksLeadToPagesAndALinkToNothingIsItsText() throws IOException {
    build();
    assertThat(page("index.html"))
        .contains("<a href=\"docs/first.html#the-end\">a page</a>", "<a href=\"docs/first.html\"><code>docs/first.md</code></a>", ", nothing and")
        .contains("<a href=\"#one\">One</a> It is this.");
    assertThat(page("docs/first.html")).contains("<a href=\"../runbooks/symptoms/threads.html\">", "<a href=\"../studies/index.html\">all</a>");
    assertThat(page("studies/s/index.html")).contains("<p>Because of this.</p>", "<title>CPU</title>", "<a href=\"study.yaml\">");
    assertThat(page("studies/index.html")).contains("What does this study ask, exactly?");
    assertThat(page("results/reference/s/20260101T120000Z-1a2b/index.html")).contains("<title>CPU</title>", "<a href=\"samples.csv\">");
    assertThat(page("servers/fake/index.html")).contains(">2,000<", "threads.html\">threads</a>", "25.0.3+9");
    assertThat(page("runbooks/symptoms/index.html")).contains("Too many <code>threads</code>.", "explain.js");
  }

  /** Which of several folders has a page of its own is no matter to a reader, nor whether a link leads to the root. */
  @Test
  void aFolderWithoutAPageListsWhatIsInIt() throws IOException {
    put("docs/deep/er/note.md", "# A note\n\n[home](../../..), [docs](../..)\n");
    build();
    assertThat(page("docs/index.html")).contains("<a href=\"deep/index.html\">deep</a>", "<a href=\"first.html\">first</a>");
    assertThat(page("docs/deep/index.html")).contains("<a href=\"er/index.html\">er</a>");
    assertThat(page("docs/deep/er/index.html")).contains("<a href=\"note.html\">note</a>", "A note");
    assertThat(page("docs/deep/er/note.html")).contains("<a href=\"../../../index.html\">home</a>", "<a href=\"../../index.html\">docs</a>");
  }

  /** As a release has it, which has no raw data. */
  @Test
  void aRunWithoutRawDataSaysSo() throws IOException {
    Files.delete(root.resolve("results/reference/s/20260101T120000Z-1a2b/samples.csv"));
    Files.delete(root.resolve("results/reference/s/20260101T120000Z-1a2b/cpu.svg"));
    build();
    assertThat(page("results/reference/s/20260101T120000Z-1a2b/index.html")).contains("<h2 id=\"files\">Files</h2>\n<p>No raw data is here", "a plot");
  }

  /** What a page was before and is no more is removed; a file that somebody put there stays. */
  @Test
  void aSiteReplacesASiteAndNothingElse() throws IOException {
    build();
    Map<String, String> first = contents(out);
    Files.writeString(out.resolve("CNAME"), "mine");
    Files.move(root.resolve("docs/first.md"), root.resolve("docs/other.md"));
    build();
    assertThat(out.resolve("docs/first.html")).doesNotExist();
    assertThat(out.resolve("docs/other.html")).isRegularFile();
    assertThat(out.resolve("CNAME")).hasContent("mine");
    Files.move(root.resolve("docs/other.md"), root.resolve("docs/first.md"));
    build();
    Files.delete(out.resolve("CNAME"));
    assertThat(contents(out)).isEqualTo(first);
  }

  @Test
  void theSameFilesGiveTheSameBytes() throws IOException {
    build();
    Path other = dir.resolve("other");
    Site.build(new Checkout(root), other);
    assertThat(contents(other)).isEqualTo(contents(out));
  }

  /** Map.of has another order in another JVM, which one test does not see. */
  @Test
  void theSearchTableHasOneOrder() throws IOException {
    build();
    assertThat(page("explain.table.js")).startsWith("const explainTable = {\"topics\":[").contains("],\"rules\":{\"count\":");
  }

  @Test
  void aFolderOfSomebodyElseIsRefusedAndStaysAsItIs() throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("thesis.txt"), "mine");
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class)
        .hasMessageContaining("the folder is not empty, and no site is in it").hasMessageContaining("give an empty folder");
    assertThat(contents(out)).isEqualTo(Map.of("thesis.txt", "mine"));
  }

  @Test
  void aFileInTheWayIsRefused() throws IOException {
    Files.writeString(out, "mine");
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("is a file; a site is a folder");
    assertThat(out).hasContent("mine");
  }

  /** A list that somebody wrote names a file elsewhere. */
  @Test
  void noListLeadsOutOfTheFolder() throws IOException {
    build();
    Path victim = Files.writeString(dir.resolve("victim"), "mine");
    Files.writeString(out.resolve(SiteFiles.LIST), Files.readString(out.resolve(SiteFiles.LIST)) + "../victim\n");
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("'../victim' is no file below");
    assertThat(victim).hasContent("mine");
  }

  /** A page that is a link to somewhere else is replaced; a folder that is one is not written into. */
  @Test
  void linksInTheFolderAreNotFollowed() throws IOException {
    build();
    Path victim = Files.writeString(dir.resolve("victim"), "mine");
    Files.delete(out.resolve("index.html"));
    Files.createSymbolicLink(out.resolve("index.html"), victim);
    build();
    assertThat(victim).hasContent("mine");
    assertThat(out.resolve("index.html")).isRegularFile();
    Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
    Files.move(out.resolve("docs"), dir.resolve("moved"));
    Files.createSymbolicLink(out.resolve("docs"), elsewhere);
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("a folder on its way is a link");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void moreRawDataThanASiteTakesIsSaid() {
    assertThatThrownBy(() -> Site.refuseIfTooLarge(600L << 20)).isInstanceOf(Refusal.class)
        .hasMessageContaining("the raw data of the published runs is 600 MiB, and a site takes at most 512 MiB");
  }

  /** A list of another version, or one that somebody changed. */
  @Test
  void aListThatIndexDidNotWriteIsRefused() throws IOException {
    put("results/points.csv", points("points.csv") + "s,20260101T120000Z-1a2b,fake,,shared,1000,5000.0,64,3,,,,1.5,about 2,2.5\n");
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContainingAll("points.csv", "about 2", "'./ladder index' writes it anew");
    put("results/points.csv", "study,run_id\n");
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("points.csv: its first line is not 'study,run_id,server,");
    Files.delete(root.resolve("results/points.csv"));
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("points.csv: there is no such file");
    assertThat(out).doesNotExist();
  }

  @Test
  void noResultsAreSaid() throws IOException {
    Files.writeString(root.resolve("results/index.csv"), INDEX.lines().findFirst().orElseThrow() + "\n");
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("results/index.csv lists no run");
    Files.writeString(root.resolve("results/index.csv"), "study,run_id\ns\n");
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("row 1 has 1 cells, its header 2; './ladder index' writes it anew");
    Files.delete(root.resolve("results/index.csv"));
    assertThatThrownBy(this::build).isInstanceOf(Refusal.class).hasMessageContaining("there is no results/index.csv, so there are no results to show");
    assertThat(out).doesNotExist();
  }
}
