package echoladder.harness.site;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Browser.Scheme;
import echoladder.harness.Browser;
import echoladder.harness.common.Checkout;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The site in a browser: on a phone and on a desk, light and dark. */
@Needs(Need.CHROMIUM)
class SitePagesIT {
  @TempDir private static Path site;

  @TempDir private Path scratch;

  @BeforeAll
  static void build() {
    Site.build(Checkout.find(), site.resolve("site"));
  }

  private JsonNode look(String page, int width, Scheme scheme) throws IOException, InterruptedException {
    return Browser.look(site.resolve("site").resolve(page), scratch, width, scheme);
  }

  @ParameterizedTest
  @CsvSource({
      "index.html, 420, LIGHT", "index.html, 420, DARK", "index.html, 1280, LIGHT", "index.html, 1280, DARK",
      "studies/async-vs-virtual/index.html, 420, LIGHT", "studies/async-vs-virtual/index.html, 420, DARK",
      "studies/async-vs-virtual/index.html, 1280, LIGHT", "studies/async-vs-virtual/index.html, 1280, DARK",
      "servers/virtual-threads/index.html, 420, LIGHT", "servers/virtual-threads/index.html, 420, DARK",
      "servers/virtual-threads/index.html, 1280, LIGHT", "servers/virtual-threads/index.html, 1280, DARK",
      "runbooks/symptoms/index.html, 420, LIGHT", "runbooks/symptoms/index.html, 420, DARK",
      "runbooks/symptoms/index.html, 1280, LIGHT", "runbooks/symptoms/index.html, 1280, DARK"
  })
  void aPageFitsItsWindowAndCanBeRead(String page, int width, Scheme scheme) throws IOException, InterruptedException {
    JsonNode seen = look(page, width, scheme);
    assertThat(seen.get("errors")).as("errors").isEmpty();
    assertThat(seen.get("loads")).as("what was loaded").allMatch(of -> of.asString().startsWith("file:"));
    assertThat(seen.get("wider").asInt()).as("pixels by which the page is wider than its window").isNotPositive();
    double ground = seen.get("ground").asDouble();
    assertThat(ground).as("luminance of the ground").isBetween(scheme == Scheme.DARK ? 0 : 0.8, scheme == Scheme.DARK ? 0.1 : 1);
    assertThat(seen.get("texts").asInt()).isGreaterThan(50);
    assertThat(seen.get("faint")).as("texts with a contrast below 4.5").isEmpty();
  }

  /** Answer, conditions and trust. */
  @ParameterizedTest
  @CsvSource({"1280, 3", "420, 1"})
  void theFirstScreenHasItsCards(int width, int cards) throws IOException, InterruptedException {
    JsonNode bottoms = look("index.html", width, Scheme.LIGHT).get("bottoms");
    assertThat(bottoms).hasSize(3);
    assertThat(bottoms.valueStream().filter(of -> of.asInt() <= Browser.HEIGHT).count()).isGreaterThanOrEqualTo(cards);
  }
}
