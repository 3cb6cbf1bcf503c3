package echoladder.servers.contract.http;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a server may do otherwise is in {@link Hostile} and, for a reader, on a page: both say the same. */
final class HostileTest {
  private static final String PAGE = "docs/decisions/http-hostile-requests.md";

  /** Names with semicolons between, servers with commas, and what they do. */
  private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| ((?:`[\\w-]+`(?:, )?)+) \\| ([^|]+) \\| [^|]+ \\|");

  @Test
  void thePageListsWhatEachServerDoesOtherwise() throws IOException {
    String page = Files.readString(Checkout.find().root().resolve(PAGE));
    Map<String, Hostile.Outcome> listed = new TreeMap<>();
    page.substring(page.indexOf("**Left as the library has it**"))
        .lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .forEach(
            row -> {
              Hostile.Outcome outcome = row.group(3).contains("closes") ? Hostile.Outcome.ANSWERED_AND_CLOSED : Hostile.Outcome.ANSWERED_BOTH;
              for (String name : row.group(1).split("; ", -1)) {
                for (String server : row.group(2).replace("`", "").split(", ", -1)) {
                  listed.put(name + ": " + server, outcome);
                }
              }
            });
    Map<String, Hostile.Outcome> allowed = new TreeMap<>();
    Hostile.all().forEach(hostile -> hostile.also().forEach((server, outcome) -> allowed.put(plain(hostile.name()) + ": " + server, outcome)));
    assertThat(listed).as(PAGE + " and Hostile.java").isEqualTo(allowed);
  }

  /** Without the section that it is of. */
  private static String plain(String name) {
    return name.substring(0, name.lastIndexOf(" ("));
  }
}
