package echoladder.harness.metric;

import echoladder.client.figures.LateShares;
import echoladder.client.figures.Percentiles;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The percentiles that a kind of time is given at. */
public enum Percentile {
  P50(50, "p50", "median (p50)", "median"),
  P90(90, "p90", "p90", "90th percentile"),
  P99(99, "p99", "p99", "99th percentile"),
  P999(99.9, "p99.9", "p99.9", "99.9th percentile"),
  P9999(99.99, "p99.99", "p99.99", "99.99th percentile"),
  MAX(100, "max", "maximum (a single message)", "largest");

  private final double rank;
  private final String brief;
  private final String title;
  private final String meaning;

  Percentile(double rank, String brief, String title, String meaning) {
    this.rank = rank;
    this.brief = brief;
    this.title = title;
    this.meaning = meaning;
  }

  /** 0 to 100. */
  public double rank() {
    return rank;
  }

  /** The part of a figure's name: {@code p999}. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As above a column: {@code p99.9}. */
  public String brief() {
    return brief;
  }

  String title() {
    return title;
  }

  String meaning() {
    return meaning;
  }

  @Nullable Double of(@Nullable LateShares shares) {
    if (shares == null) {
      return null;
    }
    return switch (this) {
      case P50 -> shares.p50LateShare();
      case P90 -> shares.p90LateShare();
      case P99 -> shares.p99LateShare();
      case P999 -> shares.p999LateShare();
      case P9999 -> shares.p9999LateShare();
      case MAX -> null;
    };
  }

  @Nullable Long of(Percentiles times) {
    return switch (this) {
      case P50 -> times.p50Ns();
      case P90 -> times.p90Ns();
      case P99 -> times.p99Ns();
      case P999 -> times.p999Ns();
      case P9999 -> times.p9999Ns();
      case MAX -> times.maxNs();
    };
  }
}
