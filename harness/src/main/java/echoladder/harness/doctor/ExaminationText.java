package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.count;

import echoladder.harness.common.ShellWord;
import echoladder.harness.common.TextTable;
import echoladder.harness.doctor.Row.Answer;
import echoladder.harness.limits.KnownLimit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the doctor found, for people. */
public final class ExaminationText {
  private ExaminationText() {}

  /**
   * The answer, a row per limit, and how to lift those that need it.
   *
   * @param explain whether the arithmetic stands below each row
   * @param written the folder that a {@link Prescription} was written to, whose files the commands then name; null = none was
   */
  public static List<String> lines(Examination found, boolean explain, @Nullable Path written) {
    Question question = found.question();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s connections%s, %s: %s"
            .formatted(
                count(question.connections()),
                question.server().name() == null ? "" : " to " + question.server().name(),
                question.role().words,
                found.reach().words));
    found.answer().forEach(sentence -> lines.add("  " + sentence));
    lines.add("");
    TextTable table = new TextTable().row(List.of("limit", "needed", "present", "verdict"));
    for (Row row : found.rows()) {
      table.row(List.of(row.limit(), amount(row, row.needed()), amount(row, row.present()), row.answer().word));
    }
    List<String> rows = table.lines();
    lines.add(rows.getFirst());
    for (int i = 0; i < found.rows().size(); i++) {
      lines.add(rows.get(i + 1));
      if (explain) {
        Row row = found.rows().get(i);
        lines.add("    " + row.unit() + ": " + row.arithmetic());
        lines.add("    runbooks/symptoms/" + row.page() + ".md");
      }
    }
    List<Row> lifts = found.rows().stream().filter(row -> row.lift() != null).toList();
    if (!lifts.isEmpty()) {
      lines.add("");
      lines.add("to lift:");
      lifts.stream().map(row -> lift(row, written)).distinct().forEach(lines::add);
    }
    return lines;
  }

  private static String lift(Row row, @Nullable Path written) {
    String command = String.valueOf(row.lift());
    int rest = command.indexOf(DescriptorLimits.AT_LOGIN);
    if (written != null && rest >= 0) {
      String file = row.limit().equals(KnownLimit.NPROC.id()) ? Prescription.LIMITS_OF_THREADS : Prescription.LIMITS;
      command = "sudo cp " + ShellWord.of(written.resolve(file).toString()) + " /etc/security/limits.d/" + command.substring(rest);
    }
    return "  %s%n      %s%s"
        .formatted(
            command,
            Boolean.TRUE.equals(row.liftable()) ? "this process may" : "this process may not: " + row.because(),
            row.answer() == Answer.RISK ? " (a risk only)" : "");
  }

  /** Bytes are told in MiB, rounded up where needed and down where present; --explain has them all. */
  private static String amount(Row row, @Nullable Long amount) {
    if (amount == null || amount == Limit.ANY || !row.unit().equals("bytes")) {
      return count(amount);
    }
    return count(amount.equals(row.needed()) ? Math.ceilDiv(amount, 1L << 20) : amount >> 20) + " MiB";
  }
}
