package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.report.Publication;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.study.StudyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the claims: each is there, and says what claims.yaml and the published ledgers say. */
class ClaimPagesTest {
  private static final Path HOME = Objects.requireNonNull(Path.of("").toAbsolutePath().getParent());
  private static final Checkout CHECKOUT = new Checkout(HOME);

  private static ClaimsFile file() {
    return ClaimsFile.read(CHECKOUT, StudyFile.named(CHECKOUT, "claims"), List.of());
  }

  @Test
  void everyClaimHasItsPageAndNothingElseHas() throws IOException {
    List<String> expected = new ArrayList<>(file().claims().stream().map(claim -> claim.id() + ".md").toList());
    expected.add("STUDY.md");
    try (Stream<Path> files = Files.list(HOME.resolve("studies/claims"))) {
      assertThat(files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".md")))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void everyPageSaysWhatTheLedgerSays() throws IOException {
    ClaimPages pages = ClaimPages.of(CHECKOUT);
    for (Claim claim : file().claims()) {
      String page = Files.readString(pages.page(claim));
      assertThat(page).as("to renew it: ./ladder report DIR --pages").isEqualTo(pages.renewed(page, claim));
      List<String> headings = page.lines().filter(line -> line.startsWith("#")).toList();
      assertThat(headings)
          .as(claim.id())
          .containsExactly(
              "# " + claim.id(), "## What was said", "## How it is measured here", "## What came out here",
              "## Why it may differ");
    }
  }

  @Test
  void thePageOfAllSaysWhatToBelieve() throws IOException {
    ClaimPages pages = ClaimPages.of(CHECKOUT);
    String page = Files.readString(pages.study());
    assertThat(page).as("to renew it: ./ladder report DIR --pages").isEqualTo(pages.renewedStudy(page, file()));
    assertThat(file().claims()).allSatisfy(claim -> assertThat(page).contains("| [" + claim.id() + "](" + claim.id() + ".md): "));
  }

  /** What is written by hand would go on saying it when the next ledger says otherwise. */
  @Test
  void noVerdictIsTyped() throws IOException {
    ClaimPages pages = ClaimPages.of(CHECKOUT);
    for (Claim claim : file().claims()) {
      String byHand = Files.readString(pages.page(claim)).replaceAll("(?s)<!-- from .*?<!-- end -->", "");
      assertThat(byHand).as(claim.id()).doesNotContain("holds", "does not hold", "cannot be told", "confirmed", "refuted");
    }
  }

  /** It is read by this version, came to its end, and has what is made of it and the runs that it names. */
  @Test
  void everyPublishedLedgerIsWhole() throws IOException {
    List<Path> published;
    try (Stream<Path> folders = Files.list(HOME.resolve(ClaimPages.PUBLISHED))) {
      published = folders.toList();
    }
    assertThat(published).isNotEmpty();
    for (Path dir : published) {
      Ledger ledger = LedgerFiles.read(new RunFolder(dir));
      assertThat(ledger.status()).as(ledger.runId()).isEqualTo(Status.COMPLETE);
      boolean listed = Files.exists(dir.resolve(Publication.LIST));
      assertThat(listed ? List.of("LEDGER.md") : List.of("ledger.html", "LEDGER.md", "environment.json"))
          .allSatisfy(name -> assertThat(dir.resolve(name)).exists());
      assertThat(dir.resolve("LEDGER.md")).content().contains(ledger.counts());
      assertThat(ledger.entries().stream().flatMap(entry -> entry.runs().stream()).map(StepRun::folder).filter(Objects::nonNull))
          .allSatisfy(folder -> assertThat(new RunFolder(dir.resolve(folder)).read().rungs()).as("%s of %s", folder, dir).isNotEmpty());
      assertThat(ledger.judged()).as("to renew it: ./ladder report %s", dir).isEqualTo(ledger);
      if (!ledger.quick()) {
        String results = Files.readString(HOME.resolve("docs/RESULTS.md")).replaceAll("\\s+", " ");
        assertThat(results).contains(ClaimPages.PUBLISHED + "/" + ledger.runId(), ledger.counts());
      }
    }
  }

  @Test
  void aPageWithoutItsMarksIsRefused() {
    Claim claim = file().claims().getFirst();
    assertThatThrownBy(() -> ClaimPages.of(CHECKOUT).renewed("# x\n", claim)).hasMessageContaining("it lacks '<!-- from claims.yaml");
  }
}
