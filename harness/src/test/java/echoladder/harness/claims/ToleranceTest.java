package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlTree;
import echoladder.harness.study.StudyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** One table of tolerances: the bounds of every rule of claims.yaml follow from it. */
class ToleranceTest {
  private static final Path HOME = Objects.requireNonNull(Path.of("").toAbsolutePath().getParent());
  private static final Offset<Double> ROUNDING = Offset.offset(1e-9);

  @ParameterizedTest
  @CsvSource({
    "at-most-twice, 1000, , 2000",
    "within-twice, 400 500, 200, 1000",
    "half-at-least, 100, 50, ",
    "within-6-percent, 2.12, 2, 2.2472",
    "within-a-tenth, 1, 0.9, 1.1",
    "none, , , 0.1",
    "all, , 0.9, ",
  })
  void theBoundsFollowFromWhatWasSaid(String name, @Nullable String said, @Nullable Double least, @Nullable Double most) {
    Tolerance tolerance = Objects.requireNonNull(Tolerance.named(name));
    List<Double> figures = said == null ? List.of() : Arrays.stream(said.split(" ", -1)).map(Double::valueOf).toList();
    same(tolerance.least(figures), least);
    same(tolerance.most(figures), most);
  }

  private static void same(@Nullable Double bound, @Nullable Double expected) {
    assertThat(bound == null).isEqualTo(expected == null);
    if (bound != null && expected != null) {
      assertThat(bound).isCloseTo(expected, ROUNDING);
    }
  }

  /** An absolute figure has no bound of our own: else each claim of a host could have the one that suits it. */
  @Test
  void whatIsAbsoluteHasNoBoundOfOurOwn() {
    assertThat(Tolerance.values()).filteredOn(tolerance -> tolerance.isFor(Kind.HOST_BOUND)).containsExactly(Tolerance.AT_MOST_TWICE, Tolerance.WITHIN_TWICE);
    assertThat(Tolerance.values()).filteredOn(tolerance -> tolerance.isFor(Kind.ARITHMETIC)).containsExactly(Tolerance.WITHIN_A_TENTH, Tolerance.AS_SAID);
    assertThat(Kind.values()).allSatisfy(kind -> assertThat(Tolerance.values()).anyMatch(tolerance -> tolerance.isFor(kind)));
  }

  @ParameterizedTest
  @EnumSource
  void thePageOfTheStudyHasTheTable(Tolerance tolerance) throws Exception {
    assertThat(Files.readAllLines(HOME.resolve("studies/claims/STUDY.md"))).contains(tolerance.row());
  }

  /** The file says by which tolerance and of what; what is measured against are the bounds that follow, and nothing else. */
  @Test
  void everyRuleIsHeldToTheTable() {
    Checkout checkout = new Checkout(HOME);
    ClaimsFile file = ClaimsFile.read(checkout, StudyFile.named(checkout, "claims"), List.of());
    JsonNode claims = YamlTree.read(HOME.resolve("studies/claims/claims.yaml"), "claims.yaml").root().get("claims");
    int held = 0;
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = file.claims().get(i);
      List<JsonNode> written = claims.get(i).path("rules").valueStream().toList();
      assertThat(claim.rules()).as(claim.id()).hasSameSizeAs(written);
      for (int j = 0; j < written.size(); j++) {
        if (claim.rules().get(j) instanceof Rule.Within rule) {
          held += held(claim, written.get(j), rule);
        }
      }
    }
    assertThat(held).isGreaterThan(60);
  }

  private static int held(Claim claim, JsonNode written, Rule.Within rule) {
    Tolerance by = Objects.requireNonNull(Tolerance.named(written.path("by").asString("")), () -> claim.id() + ": " + written);
    assertThat(by.isFor(Objects.requireNonNull(claim.kind()))).as("%s by %s", claim.id(), by.id()).isTrue();
    if (by.takes() == Tolerance.Takes.BOUNDS) {
      assertThat(by != Tolerance.OWN || claim.differs() != null || claim.question() != null).as("%s says which bound is our own", claim.id()).isTrue();
      return 1;
    }
    List<Double> said = new ArrayList<>();
    JsonNode published = written.path("said");
    (published.isArray() ? published.valueStream().toList() : published.isMissingNode() ? List.<JsonNode>of() : List.of(published))
        .forEach(value -> said.add(value.isNumber() ? (Double) value.asDouble() : Objects.requireNonNull(RuleReader.number(value.asString()))));
    assertThat(rule.least()).as(claim.id()).isEqualTo(by.least(said));
    assertThat(rule.most()).as(claim.id()).isEqualTo(by.most(said));
    return 1;
  }
}
