package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.harness.published.IndexLine;
import echoladder.harness.report.Publication;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is published of a ledger is small, and says all that the whole one says. */
class LedgerPublicationTest {
  private static final Path REFERENCE = Path.of("../results/reference/claims/20261122T094229Z-3897");

  @TempDir private Path dir;
  private RunFolder folder = new RunFolder(REFERENCE);
  private Ledger ledger = LedgerFiles.read(folder);

  @BeforeEach
  void aWholeLedger() throws IOException {
    folder = new RunFolder(dir.resolve(REFERENCE.getFileName()));
    try (Stream<Path> files = Files.walk(REFERENCE)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.dir().resolve(REFERENCE.relativize(file)));
      }
    }
    ledger = LedgerFiles.renew(folder);
  }

  private Path publish() throws IOException {
    return LedgerPublication.write(folder, ledger, dir.resolve("reference"));
  }

  private List<String> climbs() {
    return ledger.entries().stream().flatMap(entry -> LedgerText.runs(entry).stream()).toList();
  }

  @Test
  void itSaysWhatTheWholeLedgerSays() throws IOException {
    Path published = publish();
    assertThat(published).isEqualTo(dir.resolve("reference/claims").resolve(ledger.runId()));
    Ledger read = LedgerFiles.read(new RunFolder(published));
    assertThat(read.judged()).as("its verdicts follow from the figures that it has").isEqualTo(read);
    assertThat(read.entries().stream().map(Ledger.Entry::outcome)).isEqualTo(ledger.entries().stream().map(Ledger.Entry::outcome).toList());
    assertThat(published.resolve("LEDGER.md")).hasSameTextualContentAs(folder.file("LEDGER.md"));
    assertThat(LedgerPage.of(read)).as("with its plots").isEqualTo(LedgerPage.of(ledger));
    assertThat(climbs()).hasSizeGreaterThan(10);
    for (String climb : climbs()) {
      assertThat(new RunFolder(published.resolve(climb)).read()).isEqualTo(new RunFolder(folder.dir().resolve(climb)).read());
      assertThat(published.resolve(climb).resolve("REPORT.md")).content().contains("## ").doesNotContain("![");
    }
    assertThat(Publication.bytes(published)).isLessThan(Publication.bytes(folder.dir()) / 2);
  }

  @Test
  void theListNamesEveryFileOfTheWhole() throws IOException {
    JsonNode list = JsonMapper.shared().readTree(Files.readString(publish().resolve(Publication.LIST)));
    assertThat(list.get("run_id").asString()).isEqualTo(ledger.runId());
    for (JsonNode file : list.get("files")) {
      Path whole = folder.dir().resolve(file.get("name").asString());
      LogRecord of = LogRecord.of(new PlainFiles(Objects.requireNonNull(whole.getParent())), Objects.requireNonNull(whole.getFileName()).toString());
      assertThat(file.get("sha256").asString()).as("%s", whole).isEqualTo(of.sha256());
    }
    assertThat(list.get("files"))
        .extracting(file -> file.get("name").asString() + " " + file.get("published").asString())
        .contains("LEDGER.md whole", "ledger.json shortened", "ledger.html left-out", climbs().getFirst() + "/run.json shortened", climbs().getFirst() + "/samples.csv left-out");
  }

  @Test
  void reportsOfClimbsThatDoNotFitAreLeftOut() throws IOException {
    Path whole = publish();
    long bytes = Publication.bytes(whole);
    Files.move(whole, dir.resolve("taken-back"));
    taken(Publication.MOST_STUDY_BYTES - bytes + 1);
    Path published = publish();
    assertThat(climbs()).allSatisfy(climb -> assertThat(published.resolve(climb).resolve("run.json")).exists());
    assertThat(climbs()).noneMatch(climb -> Files.exists(published.resolve(climb).resolve("REPORT.md")));
    assertThat(Publication.published(dir.resolve("reference/claims"))).isLessThanOrEqualTo(Publication.MOST_STUDY_BYTES);
    assertThatThrownBy(this::publish).isInstanceOf(Refusal.class).hasMessageContaining("is there already");
  }

  @Test
  void recordsOfClimbsThatDoNotFitAreCompressed() throws IOException {
    Path whole = publish();
    long records = Publication.bytes(whole);
    for (String climb : climbs()) {
      records -= Files.size(whole.resolve(climb).resolve("REPORT.md"));
    }
    Files.move(whole, dir.resolve("taken-back"));
    taken(Publication.MOST_STUDY_BYTES - records + 5_000);
    Path published = publish();
    assertThat(Publication.published(dir.resolve("reference/claims"))).isLessThanOrEqualTo(Publication.MOST_STUDY_BYTES);
    assertThat(climbs())
        .allSatisfy(
            climb -> {
              assertThat(published.resolve(climb).resolve("run.json")).doesNotExist();
              assertThat(new RunFolder(published.resolve(climb)).read()).isEqualTo(new RunFolder(folder.dir().resolve(climb)).read());
            });
    JsonNode list = JsonMapper.shared().readTree(Files.readString(published.resolve(Publication.LIST)));
    assertThat(list.get("files"))
        .extracting(file -> file.get("name").asString() + " " + file.get("published").asString())
        .contains(climbs().getFirst() + "/run.json packed");
  }

  @Test
  void theLedgerItselfIsCompressedWhereItDoesNotFit() throws IOException {
    taken(Publication.MOST_STUDY_BYTES - 240_000);
    Path published = publish();
    assertThat(Publication.published(dir.resolve("reference/claims"))).isLessThanOrEqualTo(Publication.MOST_STUDY_BYTES);
    assertThat(published.resolve("ledger.json")).doesNotExist();
    RunFolder small = new RunFolder(published);
    assertThat(LedgerFiles.in(small)).isTrue();
    Ledger read = LedgerFiles.read(small);
    assertThat(read.judged()).as("its verdicts follow from the figures that it has").isEqualTo(read);
    assertThat(LedgerPage.of(read)).as("with its plots").isEqualTo(LedgerPage.of(ledger));
    Files.delete(dir.resolve("reference/claims/another/ledger.json"));
    assertThat(LedgerIndex.of(dir.resolve("reference"))).singleElement().extracting(IndexLine::runId).isEqualTo(ledger.runId());
    JsonNode list = JsonMapper.shared().readTree(Files.readString(published.resolve(Publication.LIST)));
    assertThat(list.get("files"))
        .extracting(file -> file.get("name").asString() + " " + file.get("published").asString())
        .contains("ledger.json packed", climbs().getFirst() + "/run.json packed");
  }

  @Test
  void whatDoesNotFitIsRefused() throws IOException {
    taken(Publication.MOST_STUDY_BYTES - 1_000);
    assertThatThrownBy(this::publish).isInstanceOf(Refusal.class).hasMessageContaining("of the 2,000,000 that a study may");
    assertThat(dir.resolve("reference/claims").resolve(ledger.runId())).doesNotExist();
  }

  /** Another ledger that was published has so many bytes. */
  private void taken(long bytes) throws IOException {
    Path other = Files.createDirectories(dir.resolve("reference/claims/another"));
    Files.createFile(other.resolve(Publication.LIST));
    Files.write(other.resolve("ledger.json"), new byte[(int) bytes]);
  }

  @Test
  void oneThatDidNotComeToItsEndIsRefused() throws IOException {
    String json = Files.readString(folder.file("ledger.json"));
    Files.writeString(folder.file("ledger.json"), json.replace("\"status\" : \"complete\"", "\"status\" : \"interrupted\""));
    ledger = LedgerFiles.read(folder);
    assertThatThrownBy(this::publish).isInstanceOf(Refusal.class).hasMessageContaining("did not come to its end");
  }
}
