package echoladder.harness;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.ReasonCode;
import echoladder.harness.client.LoadTools;
import echoladder.harness.limits.KnownLimit;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Whatever belongs together one to one is there, and every reference from one file to another holds. */
class TidyTest {
  private static final int MOST_CLASSES = 40;
  private static final int MOST_LINES = 500;

  private static final int MOST_README_LINES = 110;

  private static final int MOST_PARAMETERS = 6;
  /** Held to the rule once its fields are grouped: what all rungs of a run share. */
  private static final Set<String> RESHAPED = Set.of("RunContext");

  /** Built, fetched or measured, and so not ours to keep tidy. */
  private static final Set<String> FOREIGN_FOLDERS = Set.of(".git", ".idea", ".vscode", "target", "results");

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  /** A Javadoc that begins so has no subject: its reader has to look up what another one was about. */
  private static final Pattern WITHOUT_SUBJECT = Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?((?:Of|The same)\\b[^\n]*)");
  private static final Pattern TYPE = Pattern.compile("\\b(?:class|enum|record) ([A-Z]\\w*)");
  /** A name and a list of parameters that a body follows: a constructor, where the name is a type of its file. */
  private static final Pattern CONSTRUCTOR =
      Pattern.compile("(?m)^ +(?:public |protected |private )?([A-Z]\\w*)\\(([^)]*)\\)\\s*(?:throws [\\w., ]+)?\\{");
  private static final Pattern PAGE = Pattern.compile("(?:runbooks|docs)/[a-z-]+/[a-z0-9-]+\\.md|docs/[A-Z]+\\.md");

  private final Path root = root();
  private final List<Path> files = files(root);

  private static Path root() {
    Path module = Path.of("").toAbsolutePath();
    return Stream.iterate(module, p -> p != null, Path::getParent)
        .filter(p -> Files.isRegularFile(p.resolve("ladder")) && Files.isRegularFile(p.resolve("pom.xml")))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no folder with ladder and pom.xml at or above " + module));
  }

  private static List<Path> files(Path root) {
    List<Path> all = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
              boolean foreign = !dir.equals(root) && FOREIGN_FOLDERS.contains(dir.getFileName().toString());
              return foreign ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              all.add(file);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new IllegalStateException("cannot list " + root, e);
    }
    return all;
  }

  private Stream<Path> named(Predicate<String> name) {
    return files.stream().filter(f -> name.test(f.getFileName().toString()));
  }

  private static Predicate<String> endsWith(String... suffixes) {
    return name -> Arrays.stream(suffixes).anyMatch(name::endsWith);
  }

  private String shown(Path file) {
    return root.relativize(file).toString();
  }

  @Test
  void everyInvalidityAndEveryLimitHasItsPageAndNothingElseHas() throws IOException {
    List<String> expected =
        Stream.of(
                Arrays.stream(ReasonCode.values()).map(ReasonCode::id),
                Arrays.stream(KnownLimit.values()).map(KnownLimit::page))
            .flatMap(pages -> pages)
            .distinct()
            .sorted()
            .toList();
    try (Stream<Path> pages = Files.list(root.resolve("runbooks/symptoms"))) {
      assertThat(pages.map(p -> p.getFileName().toString()).sorted())
          .isEqualTo(expected.stream().map(id -> id + ".md").sorted().toList());
    }
  }

  @Test
  void everySymptomPageHasItsParts() throws IOException {
    try (Stream<Path> pages = Files.list(root.resolve("runbooks/symptoms"))) {
      for (Path page : pages.toList()) {
        String id = page.getFileName().toString().replace(".md", "");
        List<String> headings = Files.readAllLines(page).stream().filter(l -> l.startsWith("#")).toList();
        assertThat(headings)
            .as(shown(page))
            .containsExactly("# " + id, "## Meaning", "## Impact", "## Diagnosis", "## Mitigation", "## Try it");
      }
    }
  }

  @Test
  void relativeLinksLeadSomewhere() throws IOException {
    List<String> dead = new ArrayList<>();
    for (Path page : named(endsWith(".md")).toList()) {
      var links = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""));
      while (links.find()) {
        String target = links.group(1).replaceFirst("#.*", "");
        boolean relative = !target.isEmpty() && !target.contains(":");
        if (relative && !Files.exists(page.resolveSibling(target))) {
          dead.add(shown(page) + " -> " + target);
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void pagesThatMessagesAndCommentsNameExist() throws IOException {
    List<String> dead = new ArrayList<>();
    int seen = 0;
    // This file names patterns of pages, not pages.
    for (Path file :
        named(endsWith(".java", ".go", ".yaml", ".sh", "ladder").and(not("TidyTest.java"::equals))).toList()) {
      var pages = PAGE.matcher(Files.readString(file));
      while (pages.find()) {
        seen++;
        if (!Files.exists(root.resolve(pages.group()))) {
          dead.add(shown(file) + " -> " + pages.group());
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(seen).isPositive();
  }

  @Test
  void everyServerIsNamedAsItsFolder() throws IOException {
    List<Path> manifests = named("server.yaml"::equals).toList();
    assertThat(manifests).isNotEmpty();
    YAMLMapper yaml = new YAMLMapper();
    for (Path manifest : manifests) {
      assertThat(yaml.readTree(Files.readString(manifest)).path("name").asString(""))
          .as(shown(manifest))
          .isEqualTo(manifest.resolveSibling("").normalize().getFileName().toString());
    }
  }

  /** Without that, a server of the Maven build is left out of it, or tested as it was built last. */
  @Test
  void everyServerWithAPomIsBuiltBeforeTheContractSuite() throws IOException {
    String modules = Files.readString(root.resolve("pom.xml"));
    String suite = Files.readString(root.resolve("servers/contract-test/pom.xml"));
    for (Path manifest : named("server.yaml"::equals).toList()) {
      Path folder = manifest.resolveSibling("").normalize();
      if (Files.isRegularFile(folder.resolve("pom.xml"))) {
        String name = folder.getFileName().toString();
        assertThat(modules).as("modules of pom.xml").contains("<module>" + shown(folder) + "</module>");
        assertThat(suite).as("what contract-test depends on").contains("<artifactId>" + name + "</artifactId>");
      }
    }
  }

  @Test
  void everyStudyHasItsPlanAndItsPage() throws IOException {
    Path studies = root.resolve("studies");
    if (!Files.isDirectory(studies)) {
      return;
    }
    try (Stream<Path> folders = Files.list(studies)) {
      for (Path study : folders.filter(Files::isDirectory).toList()) {
        assertThat(study.resolve("study.yaml")).isRegularFile();
        assertThat(study.resolve("STUDY.md")).isRegularFile();
      }
    }
  }

  /** With a constant schedule each connection keeps its phase, and so its coincidences; tools of others have no other schedule. */
  @Test
  void everyStudyDrawsItsSendsAnewButThoseOfTools() throws IOException {
    YAMLMapper yaml = new YAMLMapper();
    int held = 0;
    for (Path file : named(endsWith(".yaml")).filter(file -> file.startsWith(root.resolve("studies"))).toList()) {
      JsonNode study = yaml.readTree(Files.readString(file));
      boolean byTools =
          study.findValues("client").stream().anyMatch(client -> client.isString() && !LoadTools.ofId(client.asString()).ours());
      if (study.path("load").has("rate") && !byTools) {
        held++;
        String schedule = study.path("load").path("schedule").asString("none, and so constant");
        assertThat(schedule).as(shown(file)).isIn("jittered", "poisson", "burst");
      }
    }
    assertThat(held).isPositive();
  }

  @Test
  void noSourceFileIsTooLongToBeReadAtOnce() throws IOException {
    TreeMap<String, Integer> tooLong = new TreeMap<>();
    for (Path file : named(endsWith(".java", ".go")).toList()) {
      int lines = Files.readAllLines(file).size();
      if (lines > MOST_LINES) {
        tooLong.put(shown(file), lines);
      }
    }
    assertThat(tooLong).isEmpty();
  }

  /** Whoever looks for a class reads the names of its package. */
  @Test
  void noPackageIsABagOfClasses() throws IOException {
    TreeMap<String, Long> classes =
        named(endsWith(".java"))
            .map(this::shown)
            .filter(file -> file.contains("src/main/") && !file.endsWith("package-info.java"))
            .collect(Collectors.groupingBy(file -> file.substring(0, file.lastIndexOf('/')), TreeMap::new, Collectors.counting()));
    assertThat(classes).hasSizeGreaterThan(40);
    classes.values().removeIf(count -> count <= MOST_CLASSES);
    assertThat(classes).isEmpty();
  }

  /** The width stands in .editorconfig, which editors follow. Tests keep to it by review: their data are lines of others. */
  @Test
  void noLineOfAMainSourceIsTooWide() throws IOException {
    var width = Pattern.compile("(?s)\\[\\*\\.java]\\s+max_line_length = (\\d+)").matcher(Files.readString(root.resolve(".editorconfig")));
    assertThat(width.find()).as("max_line_length of Java in .editorconfig").isTrue();
    int most = Integer.parseInt(width.group(1));
    List<String> tooWide = new ArrayList<>();
    for (Path file : named(endsWith(".java")).filter(file -> shown(file).contains("src/main/")).toList()) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).length() > most) {
          tooWide.add(shown(file) + ":" + (i + 1) + " has " + lines.get(i).length());
        }
      }
    }
    assertThat(tooWide).isEmpty();
  }

  @Test
  void everyJavadocNamesItsSubjectFirst() throws IOException {
    List<String> without = new ArrayList<>();
    for (Path file : named(endsWith(".java")).toList()) {
      String text = Files.readString(file);
      var javadocs = WITHOUT_SUBJECT.matcher(text);
      while (javadocs.find()) {
        long line = text.substring(0, javadocs.start(1)).lines().count();
        without.add(shown(file) + ":" + line + " " + javadocs.group(1));
      }
    }
    assertThat(without)
        .as("Javadocs that begin with \"Of\" or \"The same\": name the subject and the result, as in \"Servers as run.json lists them.\"")
        .isEmpty();
  }

  /** More parameters than six want a record that names what belongs together. A record that is data has its components all the same. */
  @Test
  void noConstructorTakesMoreThanSixParameters() throws IOException {
    List<String> tooMany = new ArrayList<>();
    int seen = 0;
    for (Path file : named(endsWith(".java")).filter(file -> shown(file).contains("src/main/")).toList()) {
      String text = Files.readString(file);
      var types = TYPE.matcher(text).results().map(type -> type.group(1)).toList();
      var constructors = CONSTRUCTOR.matcher(text);
      while (constructors.find()) {
        if (types.contains(constructors.group(1))) {
          seen++;
          int parameters = parameters(constructors.group(2));
          if (parameters > MOST_PARAMETERS && !RESHAPED.contains(constructors.group(1))) {
            tooMany.add(shown(file) + " " + constructors.group(1) + " has " + parameters);
          }
        }
      }
    }
    assertThat(tooMany).as("constructors with more than %d parameters: group what belongs together in a record", MOST_PARAMETERS).isEmpty();
    assertThat(seen).isGreaterThan(100);
  }

  private static int parameters(String list) {
    String plain = list;
    for (String before = ""; !before.equals(plain); ) {
      before = plain;
      plain = plain.replaceAll("<[^<>]*>", "");
    }
    return (int) Arrays.stream(plain.split(",")).filter(not(String::isBlank)).count();
  }

  /** A release says one version: every pom, the page of changes, and how it is cited. */
  @Test
  void aReleaseHasOneVersionEverywhere() throws IOException {
    Pattern ofPom = Pattern.compile("<groupId>io\\.github\\.echo-ladder</groupId>\\s*<artifactId>[^<]+</artifactId>\\s*<version>([^<$]+)</version>");
    Set<String> versions = new TreeSet<>();
    for (Path pom : named("pom.xml"::equals).toList()) {
      var version = ofPom.matcher(Files.readString(pom));
      assertThat(version.find()).as(shown(pom)).isTrue();
      versions.add(version.group(1));
    }
    assertThat(versions).hasSize(1);
    String version = versions.iterator().next();
    if (!version.endsWith("-SNAPSHOT")) {
      String cited = Files.readString(root.resolve("CITATION.cff"));
      var date = Pattern.compile("(?m)^date-released: (\\d{4}-\\d{2}-\\d{2})$").matcher(cited);
      assertThat(date.find()).as("CITATION.cff has a date-released").isTrue();
      assertThat(cited).contains("\nversion: " + version + "\n");
      List<String> changes = Files.readAllLines(root.resolve("CHANGELOG.md"));
      String heading = "## [" + version + "] - " + date.group(1);
      assertThat(changes.stream().filter(line -> line.startsWith("## [")).limit(2)).containsExactly("## [Unreleased]", heading);
      // What calls itself that version is what its section lists. After a release the poms get the next version, with -SNAPSHOT.
      assertThat(changes.subList(changes.indexOf("## [Unreleased]") + 1, changes.indexOf(heading))).allMatch(String::isBlank);
    }
  }

  /** Maven Central takes no pom without these; who cites the project finds the same names. */
  @Test
  void thePomNamesThePeopleAndTheRepositoryThatTheCitationNames() throws IOException {
    String pom = Files.readString(root.resolve("pom.xml"));
    String cited = Files.readString(root.resolve("CITATION.cff"));
    String repository = only("(?m)^repository-code: \"([^\"]+)\"$", cited);
    assertThat(only("(?m)^  <url>([^<]+)</url>$", pom)).isEqualTo(repository);
    String scm = only("(?s)<scm [^>]+>(.*?)</scm>", pom);
    assertThat(only("<url>([^<]+)</url>", scm)).isEqualTo(repository);
    assertThat(only("<connection>([^<]+)</connection>", scm)).isEqualTo("scm:git:" + repository + ".git");
    assertThat(only("(?s)<developer>\\s*<name>([^<]+)</name>", pom)).isEqualTo(only("(?m)^  - name: \"([^\"]+)\"$", cited));
  }

  /** The one group of the one match. */
  private static String only(String pattern, String text) {
    List<String> found = Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1)).toList();
    assertThat(found).as(pattern).hasSize(1);
    return found.getFirst();
  }

  /** It is read first, and at once: details stand in docs. */
  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(root.resolve("README.md"))).hasSizeLessThanOrEqualTo(MOST_README_LINES);
  }
}
