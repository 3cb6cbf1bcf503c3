package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import echoladder.harness.common.Jdks;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tarball on a host that has no JDK, Maven or Go. */
@Order(1)
@Needs({Need.BASH, Need.MOUNT, Need.NAMESPACES, Need.UNSHARE})
final class TarballIT {
  private static final long MOST_BYTES = 150_000_000;

  /** What Jackson, picocli and Micronaut look for and do without: they have types for its classes. */
  private static final Set<String> OPTIONAL = Set.of("java.desktop", "java.sql");

  @TempDir private static Path dir;

  private static Path home = Path.of("");
  private static BareHost bare;

  @BeforeAll
  static void unpack() throws Exception {
    home = Tarball.unpackIn(dir);
    bare = new BareHost(dir);
  }

  @AfterAll
  static void close() throws IOException {
    bare.close();
  }

  private static Ended ladder(String... arguments) throws IOException, InterruptedException {
    String[] command = Stream.concat(Stream.of(home.resolve("ladder").toString()), Arrays.stream(arguments)).toArray(String[]::new);
    return Commands.run(bare.command(dir, command));
  }

  private static Properties release() throws IOException {
    Properties release = new Properties();
    try (Reader in = Files.newBufferedReader(home.resolve("RELEASE"))) {
      release.load(in);
    }
    return release;
  }

  @Test
  void isWhatTheSumBesideItSays() throws Exception {
    Ended check = Commands.run("bash", "-c", "cd $0 && sha256sum --strict --check SHA256SUMS", Tarball.CHECKOUT.resolve("target").toString());
    assertThat(check.status()).as(check.said()).isZero();
    assertThat(check.out().lines()).containsExactlyInAnyOrder(Tarball.name() + ".tar.gz: OK", OneFileIT.file().getFileName() + ": OK");
  }

  @Test
  void saysItsCommitAndItsContents() throws Exception {
    Ended version = ladder("--version");
    assertThat(version.status()).as(version.said()).isZero();
    assertThat(version.out())
        .contains("commit " + release().getProperty("commit", ""), "build  " + release().getProperty("content", "no content in RELEASE").substring(0, 16));
  }

  @Test
  void isNoLargerThanItMayBe() throws IOException {
    assertThat(Files.size(Tarball.file())).isLessThanOrEqualTo(MOST_BYTES);
  }

  /** What would make two builds of the same differ, and whom else's libraries it would have twice. */
  @Test
  void saysNothingOfWhoMadeItAndHasEveryLibraryOnce() throws Exception {
    Ended list = Commands.run("tar", "--list", "--verbose", "--numeric-owner", "--full-time", "-zf", Tarball.file().toString());
    assertThat(list.status()).as(list.said()).isZero();
    List<String> libraries = new ArrayList<>();
    Set<String> times = new TreeSet<>();
    for (String line : list.out().lines().toList()) {
      String[] parts = line.split(" +", 6);
      assertThat(parts[1]).as(line).isEqualTo("0/0");
      times.add(parts[3] + " " + parts[4]);
      assertThat(parts[5]).as("a name in the one folder").startsWith(Tarball.name() + "/");
      if (line.startsWith("-") && parts[5].endsWith(".jar")) {
        libraries.add(parts[5].replaceFirst(".*/", ""));
      }
    }
    assertThat(times).hasSize(1);
    assertThat(libraries).hasSizeGreaterThan(50).doesNotHaveDuplicates();
  }

  @Test
  void hasTheModulesThatItsClassesReferTo() throws Exception {
    Map<String, Path> libraries = new TreeMap<>();
    try (Stream<Path> files = Files.walk(home)) {
      files.filter(file -> file.toString().endsWith(".jar")).forEach(jar -> libraries.put(jar.getFileName().toString(), jar));
    }
    // They require modules that nobody has here.
    libraries.keySet().removeIf(name -> name.matches("netty-codec-(marshalling|protobuf)-.*"));
    String jars = String.join(" ", libraries.values().stream().map(Path::toString).toList());
    Ended jdeps =
        Commands.run(
            "bash", "-c", "exec $0 -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 --ignore-missing-deps --multi-release 25 -summary -cp ${1// /:} $1",
            Jdks.own().resolve("bin/jdeps").toString(), jars);
    assertThat(jdeps.status()).as(jdeps.said()).isZero();
    Set<String> referred =
        jdeps.out().lines()
            .map(line -> line.replaceFirst(".* -> ", ""))
            .filter(module -> module.matches("(java|jdk)[.].*"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(referred).contains("java.base", "java.management", "jdk.httpserver").containsAll(OPTIONAL);
    referred.removeAll(OPTIONAL);
    Ended modules = Commands.run(home.resolve("runtime/bin/java").toString(), "--list-modules");
    assertThat(modules.out().lines().map(line -> line.replaceFirst("@.*", ""))).containsAll(referred);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-XX:+UseZGC"})
  void itsClassDataArchivesFitItsRuntime(String option) throws Exception {
    Ended java = Commands.run(home.resolve("runtime/bin/java").toString(), option, "-Xshare:on", "-version");
    assertThat(java.status()).as(java.said()).isZero();
  }

  @Test
  void itsClassDataArchiveIsTheSameWhereverItIsWritten() throws Exception {
    Path runtime = dir.resolve("a longer name/runtime");
    Files.createDirectories(runtime.getParent());
    assertThat(Commands.run("cp", "-a", home.resolve("runtime").toString(), runtime.toString()).status()).isZero();
    Path archive = runtime.resolve("lib/server/classes.jsa");
    Files.delete(archive);
    ProcessBuilder write = new ProcessBuilder(Tarball.CHECKOUT.resolve("deploy/write-archive.sh").toString(), runtime.toString());
    write.directory(runtime.toFile()).environment().putAll(Map.of("LC_ALL", "C.UTF-8", "TZ", "Asia/Tokyo"));
    Ended written = Commands.run(write);
    assertThat(written.status()).as(written.said()).isZero();
    assertThat(archive).hasSameBinaryContentAs(home.resolve("runtime/lib/server/classes.jsa"));
  }

  @Test
  @Tag("long")
  void climbsAndReports() throws Exception {
    Ended run = ladder("run", "smoke", "--servers", "floor");
    assertThat(run.status()).as(run.said()).isZero();
    assertThat(run.err()).doesNotContain("building");
    Path folder;
    try (Stream<Path> runs = Files.list(home.resolve("results/smoke"))) {
      folder = runs.findFirst().orElseThrow();
    }
    JsonNode record = new JsonMapper().readTree(Files.readString(folder.resolve("run.json")));
    JsonNode ladder = record.path("environment").path("ladder");
    Properties release = release();
    assertThat(ladder.path("version").asString()).isEqualTo(release.getProperty("version"));
    assertThat(ladder.path("git_commit").asString("")).isEqualTo(release.getProperty("commit"));
    assertThat(ladder.path("git_dirty").asString("false")).isEqualTo(release.getProperty("dirty"));
    assertThat(record.path("rungs").size()).isEqualTo(2);
    Files.delete(folder.resolve("report.html"));
    assertThat(ladder("report", folder.toString()).status()).isZero();
    assertThat(folder.resolve("report.html")).isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan one-million", "size --connections 1000 --server netty", "doctor --connections 10", "tune show 1m", "tune show 10k --explain", "serve", "environment",
        "run --help", "compare --help", "lab --help", "load --help", "--version"
      })
  void answers(String arguments) throws Exception {
    Ended ended = ladder(arguments.split(" ", -1));
    assertThat(ended.status()).as(ended.said()).isZero();
    assertThat(ended.out()).isNotEmpty();
  }

  /** The names are the shell's: the JVM of this test may have none for such a folder either. */
  @Needs(Need.UTF8_LOCALE)
  @ParameterizedTest
  @ValueSource(strings = {"C", "xx_XX.UTF-8"})
  void startsInALocaleOfAsciiFromAFolderWithAnUmlaut(String locale) throws Exception {
    Path above = dir.resolve("above");
    String start =
        "folder=$1/$(printf 'pr\\303\\274fstand'); mkdir -p \"$1\" && cp -al \"$0\" \"$folder\" && cd \"$folder\" || exit 99;"
            + " LC_ALL=$2 exec ./ladder size --connections 10000 --rate 5000/s";
    try {
      Ended size = Commands.run("bash", "-c", start, home.toString(), above.toString(), locale);
      assertThat(size.status()).as(size.said()).isLessThanOrEqualTo(1);
      assertThat(size.out()).as(size.said()).containsPattern("\\d µs").doesNotContain("?s");
    } finally {
      Commands.run("rm", "-rf", above.toString());
    }
  }

  @Test
  void namesTheJdkThatAStudyAsksForAndThatIsNotThere() throws Exception {
    Ended plan = ladder("plan", "quick", "--set", "servers=[{name: virtual-threads, jdk: /usr/lib/jvm/jdk-21}]");
    assertThat(plan.status()).as(plan.said()).isEqualTo(2);
    assertThat(plan.err()).contains("jdk", "there is no program /usr/lib/jvm/jdk-21/bin/java");
  }

  /** Each that the climb does not start. */
  @ParameterizedTest
  @ValueSource(strings = {"platform-threads", "netty", "jdk-http", "micronaut-http", "micronaut-websocket", "helidon-websocket", "go-http", "go-netpoll", "floor-http", "netty-websocket"})
  @Tag("long")
  void starts(String server) throws Exception {
    Process process =
        bare.command(dir, home.resolve("ladder").toString(), "serve", server).redirectError(dir.resolve(server + ".err").toFile()).start();
    try {
      BufferedReader out = process.inputReader();
      String ready = out.readLine();
      assertThat(ready).as(Files.readString(dir.resolve(server + ".err"))).startsWith("{\"ready\":true").contains("\"" + server + "\"");
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Both are made of the help of what lies in the tarball. */
  @Test
  void hasManualPagesAndCompletion() throws IOException {
    assertThat(home.resolve("share/man/man1/ladder-tune-minimal.1")).isNotEmptyFile();
    assertThat(home.resolve("share/man/man1/ladder-run.1"))
        .content()
        .startsWith(".TH \"LADDER\\-RUN\" 1 \"\" \"Echo Ladder " + release().getProperty("version", "").replace("-", "\\-") + "\"");
    assertThat(home.resolve("share/bash-completion/completions/ladder")).content().contains("_complete_ladder");
  }

  /** Pages that messages name, licences, and what is not for others. */
  @Test
  void hasPagesAndLicencesAndNothingOfWhoeverBuiltIt() throws IOException {
    assertThat(home.resolve("runbooks/symptoms/descriptor-limit.md")).isNotEmptyFile();
    assertThat(home.resolve("docs/METHOD.md")).isNotEmptyFile();
    assertThat(home.resolve("LICENSE")).isNotEmptyFile();
    assertThat(home.resolve("THIRD-PARTY-LICENCES.txt"))
        .content()
        .contains("Netty", "Micronaut", "JMustache", "\nGo: go.txt\n", "\nGo: golang.org_x_sys", "jackson-core-", "\nJava runtime: java.base/LICENSE\n");
    assertThat(home.resolve("runtime/legal/java.base")).isDirectory();
    assertThat(home.resolve("deploy/prepare.yml")).isNotEmptyFile();
    assertThat(home.resolve("deploy/inventory.yml")).doesNotExist();
    assertThat(home.resolve("results/reference/memory/20261123T062015Z-df3b/run.json")).doesNotExist();
    assertThat(home.resolve("pom.xml")).doesNotExist();
  }
}
