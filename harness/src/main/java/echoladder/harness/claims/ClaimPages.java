package echoladder.harness.claims;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.Units;
import echoladder.harness.report.table.EnvironmentRows;
import echoladder.harness.results.RunFolder;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The page of each claim, {@code ID.md} beside claims.yaml. How it is measured and why it may differ is written by hand; what
 * was said is taken from claims.yaml, and what came out from the published ledgers: no verdict is typed.
 *
 * @param ledgers the latest first, quick ones behind all others
 */
public record ClaimPages(Path folder, List<Ledger> ledgers) {
  /** Below the checkout. */
  static final String PUBLISHED = "results/reference/claims";

  private static final String SAID = "<!-- from claims.yaml, by ./ladder report DIR --pages -->";
  private static final String CAME_OUT = "<!-- from " + PUBLISHED + ", by ./ladder report DIR --pages -->";
  private static final String BELIEVED = "<!-- from claims.yaml and " + PUBLISHED + ", by ./ladder report DIR --pages -->";
  private static final String END = "<!-- end -->";

  /** The pages of a checkout's claims, by its published ledgers. */
  public static ClaimPages of(Checkout checkout) {
    Path published = checkout.root().resolve(PUBLISHED);
    try (Stream<Path> runs = Files.isDirectory(published) ? Files.list(published) : Stream.empty()) {
      List<Ledger> ledgers =
          runs.map(RunFolder::new)
              .filter(LedgerFiles::in)
              .map(LedgerFiles::read)
              .sorted(comparing(Ledger::quick).thenComparing(Ledger::startedAt, reverseOrder()))
              .toList();
      return new ClaimPages(checkout.studies().resolve("claims"), ledgers);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot list " + published + ": " + ErrorText.of(e));
    }
  }

  /**
   * Writes them again.
   *
   * @return those that are others now
   * @throws Refusal (cannot run) where one is missing, has not its marks, or cannot be written
   */
  public List<Path> renew(ClaimsFile file) {
    List<Path> changed = new ArrayList<>();
    file.claims().forEach(claim -> renew(page(claim), page -> renewed(page, claim), changed));
    renew(study(), page -> renewedStudy(page, file), changed);
    return changed;
  }

  private static void renew(Path page, UnaryOperator<String> renewed, List<Path> changed) {
    try {
      String before = Files.readString(page);
      String after = renewed.apply(before);
      if (!after.equals(before)) {
        Files.writeString(page, after);
        changed.add(page);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw Refusal.cannotRun("cannot renew " + page + ": " + ErrorText.of(e));
    }
  }

  /** The page of all of them. */
  Path study() {
    return folder.resolve("STUDY.md");
  }

  /** The page of all of them with what to believe now, and what came out of each, by topic. */
  String renewedStudy(String page, ClaimsFile file) {
    Map<String, Ledger.Entry> entries = today(file.claims());
    List<String> texts = file.sentences().stream().map(sentence -> sentence.text(entries)).toList();
    List<String> lines = new ArrayList<>(List.of(""));
    LedgerText.believed(file.sentences(), texts, id -> id + ".md", lines);
    for (Topic topic : Topic.values()) {
      List<Claim> claims = file.claims().stream().filter(claim -> claim.topic() == topic).toList();
      if (!claims.isEmpty()) {
        lines.addAll(List.of("### " + topic.title(), ""));
        LedgerTable table = new LedgerTable();
        for (Claim claim : claims) {
          Ledger.Entry entry = entries.get(claim.id());
          String link = claim.id() + ".md";
          if (entry == null) {
            table.addUnmeasured(claim, link);
          } else {
            table.add(claim, entry, link);
          }
        }
        lines.add(table.markdown());
        lines.add("");
      }
    }
    return replaced(page, BELIEVED, lines);
  }

  /** What the latest ledger says of each claim that it decided by the rules of today. */
  private Map<String, Ledger.Entry> today(List<Claim> claims) {
    Map<String, Ledger.Entry> entries = new HashMap<>();
    for (Claim claim : claims) {
      ledgers.stream()
          .flatMap(ledger -> ledger.entries().stream())
          .filter(entry -> entry.claim().id().equals(claim.id()) && entry.claim().rules().equals(claim.rules()))
          .findFirst()
          .ifPresent(entry -> entries.put(claim.id(), entry.of(claim)));
    }
    return entries;
  }

  /** The page of a claim. */
  Path page(Claim claim) {
    return folder.resolve(claim.id() + ".md");
  }

  /** A page with what is not written by hand as it has to be. */
  String renewed(String page, Claim claim) {
    List<String> said = new ArrayList<>();
    LedgerText.said(claim, said);
    return replaced(replaced(page, SAID, said), CAME_OUT, cameOut(claim));
  }

  private static String replaced(String page, String mark, List<String> lines) {
    int begin = page.indexOf(mark);
    int end = begin < 0 ? -1 : page.indexOf(END, begin);
    if (end < 0) {
      throw new IllegalArgumentException("it lacks '" + mark + "' with '" + END + "' behind it");
    }
    return page.substring(0, begin + mark.length()) + "\n" + String.join("\n", lines) + "\n" + page.substring(end);
  }

  private List<String> cameOut(Claim claim) {
    for (Ledger ledger : ledgers) {
      for (Ledger.Entry entry : ledger.entries()) {
        if (entry.claim().id().equals(claim.id())) {
          return cameOut(claim, ledger, entry);
        }
      }
    }
    return List.of("No ledger with it is published yet: `./ladder run claims --only " + claim.id() + "` measures it.");
  }

  private static List<String> cameOut(Claim claim, Ledger ledger, Ledger.Entry entry) {
    String runId = ledger.runId();
    List<String> lines = new ArrayList<>();
    lines.add(
        "In the ledger [%s](../../%s/%s/LEDGER.md), begun %s, on %s:"
            .formatted(runId, PUBLISHED, runId, Units.clockTime(ledger.startedAt()), host(ledger)));
    lines.add("");
    LedgerText.outcome(entry.of(claim), lines);
    if (!entry.claim().equals(claim)) {
      lines.add("");
      lines.add("claims.yaml asks it in another way today: its text, steps, repeats or rules have changed since.");
    }
    return lines;
  }

  private static String host(Ledger ledger) {
    List<String> parts = new ArrayList<>();
    EnvironmentRows.of(ledger.environment())
        .forEach(
            (name, value) -> {
              switch (name) {
                case "CPU" -> parts.add(value);
                case "processors" -> parts.add(value + " processors");
                case "memory, bytes" -> parts.add(memory(value) + " of memory");
                case "kernel" -> parts.add("Linux " + value);
                default -> {}
              }
            });
    return String.join(", ", parts);
  }

  private static String memory(String bytes) {
    return bytes.matches("\\d+") ? Units.bytes((Long) Long.parseLong(bytes)) : bytes;
  }
}
