package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The versions of what is measured: METHOD's table follows from the build's files, and Renovate's rules know each of them as a subject. */
public class SubjectsTest {
  private static final Path ROOT = Checkout.find().root();
  private static final String BEGIN = "<!-- Written by SubjectsTest. -->\n";
  private static final String END = "<!-- End of the subjects. -->";

  /**
   * What a server is built of.
   *
   * @param title as a reader knows it
   * @param in which servers
   * @param file of the build that has its version
   * @param version finds it there
   * @param renovate its name among Renovate's packages
   */
  public record Subject(String title, String in, String file, String version, String renovate) {
    /** Its version by the build's own file. */
    public String built() throws IOException {
      Matcher found = Pattern.compile(version).matcher(Files.readString(ROOT.resolve(file)));
      assertThat(found.find()).as("%s has the version of %s", file, title).isTrue();
      return found.group(1);
    }
  }

  /** All of them. */
  public static final List<Subject> ALL =
      List.of(
          new Subject("JDK", "every server in Java", "pom.xml", "<jdk.version>(\\S+)</jdk.version>", "java"),
          new Subject("Go", "every server in Go", "go-echo/go.mod", "(?m)^toolchain go(\\S+)$", "go"),
          new Subject("Netty", "netty, netty-websocket and Micronaut's", "pom.xml", "<netty.version>(\\S+)</netty.version>", "io.netty:netty-bom"),
          new Subject(
              "Micronaut", "micronaut-http, micronaut-websocket", "servers/micronaut-http/pom.xml",
              "<micronaut.core.version>(\\S+)</micronaut.core.version>", "io.micronaut.platform:micronaut-platform"),
          new Subject(
              "Helidon", "helidon-http, helidon-websocket", "servers/helidon/pom.xml", "<helidon.version>(\\S+)</helidon.version>",
              "io.helidon.webserver:helidon-webserver"),
          new Subject("netpoll", "go-netpoll", "go-echo/go.mod", "cloudwego/netpoll v(\\S+)", "github.com/cloudwego/netpoll"),
          new Subject("gobwas/ws", "go-websocket", "go-echo/go.mod", "gobwas/ws v(\\S+)", "github.com/gobwas/ws"));

  private static String table() throws IOException {
    List<String> lines = new ArrayList<>(List.of("| subject | version | in | said by |", "|---|---|---|---|"));
    for (Subject subject : ALL) {
      lines.add("| %s | %s | %s | `%s` |".formatted(subject.title, subject.built(), subject.in, subject.file));
    }
    return String.join("\n", lines) + "\n";
  }

  @Test
  void thePageHasTheVersionsOfTheBuild() throws IOException {
    String table = table();
    Derived.follows(SubjectsTest.class, "docs/METHOD.md", page -> Derived.between(page, BEGIN, END, table));
  }

  /** A new version of a subject is another subject: its pages and runs are measured again, so no such change comes among others. */
  @Test
  void renovateProposesEachSubjectByItself() throws IOException {
    JsonNode rules = JsonMapper.shared().readTree(Files.readString(ROOT.resolve(".github/renovate.json"))).get("packageRules");
    JsonNode subjects =
        rules.valueStream().filter(rule -> rule.path("labels").valueStream().anyMatch(label -> label.asString().equals("subject")))
            .findFirst().orElseThrow();
    Set<String> named = subjects.get("matchPackageNames").valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).containsExactlyInAnyOrderElementsOf(ALL.stream().map(Subject::renovate).toList());
    assertThat(subjects.has("groupName")).isFalse();
  }
}
