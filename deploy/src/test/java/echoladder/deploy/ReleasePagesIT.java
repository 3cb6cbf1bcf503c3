package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of an unpacked release: their links lead somewhere in it, and the answers of docs/QUESTIONS.md are answers there. */
@Order(1)
@Tag("long")
@Needs({Need.BASH, Need.MOUNT, Need.NAMESPACES, Need.UNSHARE})
final class ReleasePagesIT {
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]+)[^)]*\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  private static final Pattern COMMAND = Pattern.compile("`\\./ladder ([^`]+)`");
  private static final Path PUBLISHED = Tarball.CHECKOUT.resolve("results/reference/memory/20261123T062015Z-df3b");

  @TempDir private static Path dir;

  private static Path home = Path.of("");
  private static BareHost bare;

  @BeforeAll
  static void unpack() throws Exception {
    home = Tarball.unpacked();
    bare = new BareHost(dir);
  }

  @AfterAll
  static void close() throws IOException {
    bare.close();
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> dead = new ArrayList<>();
    List<Path> pages;
    try (Stream<Path> files = Files.walk(home)) {
      pages = files.filter(file -> file.toString().endsWith(".md") && !file.startsWith(home.resolve("runtime"))).toList();
    }
    assertThat(pages).hasSizeGreaterThan(50);
    for (Path page : pages) {
      for (MatchResult link : LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll("")).results().toList()) {
        if (!link.group(1).contains(":") && !Files.exists(page.resolveSibling(link.group(1)))) {
          dead.add(home.relativize(page) + " -> " + link.group(1));
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  /** What takes minutes is planned instead of run; what needs more than the page says is asked for its help. */
  private static String cheap(String command) {
    String filled =
        command.replace("STUDY", "quick").replace("NAME", "netty").replace("HOST:PORT", "127.0.0.1:9000").replace("PORT", "9000").replace("URL", "http://127.0.0.1:9100/metrics")
            .replace("COMMAND", "python3 echo.py").replace("OLD", PUBLISHED.toString()).replace("NEW", PUBLISHED.toString());
    return filled.equals("tune minimal") ? filled + " --help" : filled.replaceFirst("^run\\b", "plan");
  }

  @Test
  void eachOfTheTenQuestionsIsAnswered() throws Exception {
    String page = Files.readString(home.resolve("docs/QUESTIONS.md"));
    assertThat(Pattern.compile("(?m)^\\d+\\. \\*\\*[^*]+\\?\\*\\*").matcher(page).results()).hasSize(10);
    List<String> commands = COMMAND.matcher(page).results().map(found -> found.group(1).replaceAll("\\s+", " ")).distinct().toList();
    assertThat(commands).hasSizeGreaterThanOrEqualTo(8);
    for (String command : commands) {
      Ended ended = Commands.run(bare.command(home, "bash", "-c", "./ladder " + cheap(command)));
      // 1: a part was never measured, this host lacks something, or one repeat tells nothing.
      assertThat(ended.status()).as("%s: %s", command, ended.said()).isIn(0, 1);
      assertThat(ended.out()).as(command).isNotBlank();
    }
  }
}
