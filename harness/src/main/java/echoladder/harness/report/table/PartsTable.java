package echoladder.harness.report.table;

import echoladder.harness.breakdown.Parts;
import echoladder.harness.common.Units;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.UnitCostsRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sum of parts of a run, load by load. */
public final class PartsTable {
  private PartsTable() {}

  /** A row for each part; none of a run that makes no sum. */
  static Table of(RunRecord run) {
    Table table = new Table().figures(RungText.heads(run)).words("part", "by")
        .figures("more per echo", "one costs", "CPU per echo", "of the measured");
    for (Parts sum : Parts.of(run)) {
      Parts.Difference measured = sum.measured();
      if (measured == null) {
        continue;
      }
      for (Parts.Part part : sum.parts()) {
        Double us = part.us();
        row(
            table, run, sum, part.name(), part.difference() != null ? "A/B" : "count", number(part.count()),
            part.difference() != null ? "" : unit(part.unit()), part.difference() != null ? range(part.difference()) : Units.us(us),
            us == null ? Units.NONE : Units.percent(us / measured.us()));
      }
      row(table, run, sum, "**sum**", "", "", "", Units.us(sum.sumUs()), percent(sum.ratio()));
      row(table, run, sum, "**measured**", "A/B", "", "", range(measured), "");
    }
    return table;
  }

  private static void row(Table table, RunRecord run, Parts sum, String... cells) {
    List<String> all = new ArrayList<>(List.of(Units.count(sum.load().connections())));
    if (RungText.severalRates(run)) {
      all.add(sum.load().ratePerS() == null ? Units.NONE : Units.plain(sum.load().ratePerS()));
    }
    all.addAll(List.of(cells));
    table.row(all);
  }

  private static String number(@Nullable Double count) {
    return count == null ? "" : String.format(Locale.ROOT, "%.3g", count);
  }

  /** With the range of the rounds that it was measured in. */
  private static String unit(UnitCostsRecord.@Nullable Cost cost) {
    if (cost == null) {
      return Units.NONE;
    }
    boolean ranged = cost.leastUs() != null && cost.mostUs() != null;
    return Units.us(cost.us()) + (ranged ? " (%s–%s)".formatted(Units.us(cost.leastUs()), Units.us(cost.mostUs())) : "");
  }

  private static String percent(@Nullable Double ratio) {
    return ratio == null ? Units.NONE : Units.percent(ratio);
  }

  private static String range(Parts.Difference of) {
    return "%s (%s–%s)".formatted(Units.us(of.us()), Units.us(of.leastUs()), Units.us(of.mostUs()));
  }

  /** What each sum comes to, in a sentence each; none of a run that makes none. */
  public static List<String> sentences(RunRecord run) {
    return Parts.of(run).stream().map(sum -> sentence(run, sum)).toList();
  }

  private static String sentence(RunRecord run, Parts sum) {
    var breakdown = Objects.requireNonNull(run.study().breakdown());
    String head = "At %s, %s above %s: ".formatted(sum.load().load(), breakdown.chain().getFirst(), breakdown.above());
    Parts.Difference measured = sum.measured();
    if (measured == null) {
      return head + "no sum, as there is no repeat in which all servers of it are valid.";
    }
    Double ratio = sum.ratio();
    if (ratio == null) {
      List<String> unknown = sum.parts().stream().filter(part -> part.us() == null).map(Parts.Part::name).toList();
      return head
          + (unknown.isEmpty()
              ? "no sum, as it costs no more (%s).".formatted(Units.us(measured.us()))
              : "no sum, as these parts are not known: %s.".formatted(String.join("; ", unknown)));
    }
    boolean meets = Math.abs(ratio - 1) <= breakdown.within();
    return head
        + "the parts come to %s of %s, %s. That is %s %s of the measured cost; %s."
            .formatted(
                Units.us(sum.sumUs()), Units.us(measured.us()), Units.percent(ratio), meets ? "within" : "**not within**",
                Units.percent(breakdown.within()), sum.repeats() == 1 ? "1 repeat" : sum.repeats() + " repeats");
  }
}
