package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyFile;
import echoladder.harness.study.StudyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimsFileTest {
  private static final String CLAIMS =
      """
      memory_limit: 1G
      sources: {somebody: {author: A. Body, title: What threads do, kind: blog post, date: "2025", where: not stated}}
      claims:
        - id: first
          said: what somebody said
          topic: waiting
          kind: ratio
          source: somebody
          published: 2 s
          host: a laptop
          repeats: 5
          steps:
            - {name: a, run: java thread-ramp, args: --tasks 100, quick: --tasks 10}
            - {name: b, run: go thread-ramp, env: {GOMEMLIMIT: 4GiB}, args: --tasks 100, quick: false}
          rules:
            - {take: a.wall_ns, over: b.wall_ns, said: 2, by: half-at-least}
            - {take: a.wall_ns, most: 2s, by: own}
        - id: second
          said: what somebody else said
          topic: memory
          kind: own-question
          source: somebody
          published: twice
          host: not said
          cannot: this ladder has no such thing
      """;

  @TempDir private Path root;

  private ClaimsFile read(String claims, String... settings) {
    Checkout checkout =
        new TestCheckout(root)
            .study("claims", "name: claims\nkind: claims\nquestion: Which of them hold?\n")
            .write("studies/claims/claims.yaml", claims)
            .checkout();
    Path study = checkout.studies().resolve("claims/study.yaml");
    return ClaimsFile.read(checkout, StudyFile.at(checkout, study), Stream.of(settings).map(YamlSetting::parse).toList());
  }

  @Test
  void readsClaimsWithTheirStepsAndRules() {
    ClaimsFile file = read(CLAIMS);
    assertThat(file.question()).isEqualTo("Which of them hold?");
    assertThat(file.memoryBytes()).isEqualTo(1L << 30);
    Claim first = file.claims().getFirst();
    assertThat(file.claims()).extracting(Claim::topic).containsExactly(Topic.WAITING, Topic.MEMORY);
    assertThat(first.who()).isEqualTo("A. Body, blog post, 2025");
    assertThat(first.source()).isEqualTo("A. Body, What threads do, blog post, 2025, not stated");
    assertThat(file.claims()).extracting(Claim::kind).containsExactly(Kind.RATIO, Kind.OWN_QUESTION);
    assertThat(first.repeats()).isEqualTo(5);
    assertThat(first.steps().getFirst().args().get(Effort.QUICK)).containsExactly("--tasks", "10");
    assertThat(first.steps().getLast().args()).containsOnlyKeys(Effort.FULL);
    assertThat(first.steps().getLast().env()).containsExactly(Map.entry("GOMEMLIMIT", "4GiB"));
    assertThat(first.rules().stream().map(Rule::text))
        .containsExactly("a.wall_ns / b.wall_ns ≥ 1.000×", "a.wall_ns ≤ 2.00 s");
    assertThat(file.claims().getLast().cannot()).isEqualTo("this ladder has no such thing");
    assertThat(read(CLAIMS, "memory_limit=2G").memoryBytes()).isEqualTo(2L << 30);
  }

  @Test
  void namesThoseThatAreKnown() {
    ClaimsFile file = read(CLAIMS);
    assertThat(file.only(List.of("second"), List.of()).stream().map(Claim::id)).containsExactly("second");
    assertThat(file.only(List.of(), List.of())).hasSize(2);
    assertThat(file.only(List.of(), List.of("waiting")).stream().map(Claim::id)).containsExactly("first");
    assertThat(file.only(List.of(), List.of("waiting", "memory"))).hasSize(2);
    assertThatThrownBy(() -> file.only(List.of("third"), List.of()))
        .hasMessage("--only third: there is no such claim; known claims: first, second");
    assertThatThrownBy(() -> file.only(List.of(), List.of("recursion")))
        .hasMessage("--topic recursion: there is no such topic; known topics: memory, waiting");
    assertThatThrownBy(() -> file.only(List.of("first"), List.of("memory"))).hasMessageContaining("leave one of them out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "memory_limit: 1G|memory_limit: 1|claims.yaml:1: memory_limit: 1 is not allowed; what each workload may hold",
        "- id: second|- id: first|claims.yaml:18: claims[1]: a second claim 'first'",
        "take: a.wall_ns, most|take: c.wall_ns, most|a rule names the step 'c', which it does not have",
        "most: 2s|mots: 2s|unknown key; known here: take, over, by, said, least, most",
        "most: 2s|most: 2 parsecs|most '2 parsecs' is neither a number nor a time nor a size",
        "said: 2, by: half-at-least|said: 2|a rule has 'take' with 'by'",
        "by: half-at-least|by: at-most-twice|a rule by 'at-most-twice' is not for a claim that is ratio",
        "by: half-at-least|by: a-hair|is not allowed; its tolerance, see the table in studies/claims/STUDY.md",
        "said: 2, by: half|least: 2, by: half|a rule by 'half-at-least' takes 'said', what was published, and no bound",
        "most: 2s, by: own|said: 2s, by: own|a rule by 'own' takes 'least' or 'most', and no 'said'",
        "said: 2, by: half-at-least|said: 2, by: none|a rule by 'none' takes neither 'said' nor a bound",
        "kind: ratio|kind: arithmetic|the source's own, are of arithmetic claims, which need them",
        "cannot: this|figures: {a_ns: 1s} # |the source's own, are of arithmetic claims, which need them",
        "name: b, run|name: source, run|no step may have the name 'source'",
        "args: --tasks 100, quick: --tasks 10|args: --tasks 100, takes: 5 parsecs|takes: '5 parsecs' is not allowed; a time with its unit",
        "name: b|name: a|two steps have one name",
        "run: go thread-ramp, env|run: ladder thread-ramp, env|the step 'b' is a climb, which takes no 'env'",
        "GOMEMLIMIT: 4GiB|gomemlimit: 4GiB|env",
        "kind: ratio|kind: rumour|is not allowed; what it is bound to, which decides the words of its verdict",
        "topic: waiting|topic: weather|is not allowed; what it is about, for --topic and the tables of the pages",
        "source: somebody|source: nobody|the source 'nobody' is none of 'sources': somebody",
        "author: A. Body, |''|the key 'author' is missing; a source: a map of author, title, kind, date, where",
        "run: go thread-ramp|run: rust thread-ramp|is not allowed; java or go, a space, and the workload's name",
      })
  void whatIsWrongIsRefusedWithItsPlace(String from, String to, String complaint) {
    String wrong = CLAIMS.replace(from, to);
    assertThat(wrong).isNotEqualTo(CLAIMS);
    assertThatThrownBy(() -> read(wrong)).hasMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[third] | {first} | it names the claim 'third', which is none of 'claims'",
        "[first] | {first/3} | {first/3} is no rule of a claim that the sentence names",
        "[first] | {second} | {second} is no rule of a claim that the sentence names",
        "[first] | {first/2} | ",
      })
  void aSentenceSpeaksOfClaimsOfTheFile(String claims, String measured, @Nullable String complaint) {
    String with =
        CLAIMS.replace(
            "claims:\n", "sentences: [{about: whether it is so, claims: %s, met: \"It is so, %s.\", not_met: It is not so.}]\nclaims:\n".formatted(claims, measured));
    if (complaint == null) {
      assertThat(read(with).sentences()).hasSize(1);
    } else {
      assertThatThrownBy(() -> read(with)).hasMessageContaining(complaint);
    }
  }

  /** What a reader is told at the head rests on no single measurement. */
  @Test
  void claimsOfSentencesAreMeasuredThreeTimes() {
    Checkout checkout = new Checkout(Objects.requireNonNull(Path.of("").toAbsolutePath().getParent()));
    ClaimsFile file = ClaimsFile.read(checkout, StudyFile.named(checkout, "claims"), List.of());
    assertThat(file.sentences()).hasSize(5);
    for (Sentence sentence : file.sentences()) {
      for (Claim claim : file.only(sentence.claims(), List.of())) {
        assertThat(List.of(claim.repeats(), claim.quickRepeats())).as(claim.id()).allMatch(repeats -> repeats >= 3);
        assertThat(claim.steps()).as(claim.id()).anyMatch(step -> step.args().containsKey(Effort.QUICK));
      }
    }
  }

  /** Decided by what the source itself states, which may be computed of other figures there. */
  @Test
  void anArithmeticClaimIsDecidedByTheFiguresOfItsSource() {
    String claims =
        CLAIMS.substring(0, CLAIMS.indexOf("  - id: first"))
            + """
              - id: sums
                said: a hundred thousand connections, 27,000 per second, and a p99 of 35 ms
                topic: http
                kind: arithmetic
                source: somebody
                published: 27,000/s, 35 ms
                host: a laptop
                figures: {mean_ns: 1s * 100000 / 27000, p99_ns: 35ms, asked: 3}
                rules:
                  - {ascending: [source.mean_ns, source.p99_ns]}
                  - {take: source.asked, most: 3, by: as-said}
            """;
    Claim sums = read(claims).claims().getFirst();
    assertThat(sums.figures()).containsEntry("mean_ns", 1e9 * 100_000 / 27_000).containsEntry("p99_ns", 35e6).containsEntry("asked", 3.0);
    ClaimOutcome outcome = Evaluation.of(sums.rules(), sums.beside(), StepRun.stated(sums));
    assertThat(Kind.ARITHMETIC.words(outcome)).isEqualTo("contradicts its own figures");
    assertThat(outcome.rules()).extracting(ClaimOutcome.OfRule::measured).containsExactly("3.70 s, 35.0 ms", "3");
    assertThat(outcome.rules()).extracting(ClaimOutcome.OfRule::certainty).as("a bound met exactly is no close one").containsOnly(Certainty.CLEAR);
    assertThatThrownBy(() -> read(claims.replace("source.asked", "source.other"))).hasMessageContaining("a rule asks for source.other, which is none of its 'figures'");
    assertThatThrownBy(() -> read(claims.replace("1s * 100000", "1s x 100000"))).hasMessageContaining("the figure mean_ns is '1s x 100000 / 27000'");
    assertThatThrownBy(() -> read(claims.replace("/ 27000", "/ 0"))).hasMessageContaining("the figure mean_ns is ");
  }

  /** Those that are published are whole, and the programs that they name are there. */
  @Test
  void theClaimsOfTheCheckoutAreWhole() {
    Path module = Path.of("").toAbsolutePath();
    Path home = Objects.requireNonNull(module.getParent());
    ClaimsFile file = ClaimsFile.read(new Checkout(home), StudyFile.named(new Checkout(home), "claims"), List.of());
    assertThat(file.claims()).isNotEmpty();
    for (Claim claim : file.claims()) {
      for (Claim.Step step : claim.steps()) {
        if (step.language() == Claim.Language.LADDER) {
          isClimbed(new Checkout(home), StepClimb.study(file.climbs(), step), step);
          continue;
        }
        Path source =
            step.language() == Claim.Language.GO
                ? home.resolve("go-echo/cmd/" + step.workload() + "/main.go")
                : home.resolve(
                    "workloads/src/main/java/echoladder/workloads/" + Workloads.className(step.workload()) + ".java");
        assertThat(Files.exists(source)).as(claim.id() + ": " + source).isTrue();
      }
    }
  }

  /** Its study can be read with the step's options, and is of one server, once: else its figures would be of whom? */
  private static void isClimbed(Checkout checkout, Path study, Claim.Step step) {
    for (List<String> args : step.args().values()) {
      Study read =
          new StudyReader(checkout, ServerManifest.all(checkout)).read(study.toString(), ClimbTimes.selection(args));
      assertThat(read.name()).isEqualTo(step.workload());
      assertThat(read.servers()).as("%s", args).hasSize(1);
      assertThat(read.repeats()).isEqualTo(1);
    }
  }
}
