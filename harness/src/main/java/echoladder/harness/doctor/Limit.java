package echoladder.harness.doctor;

import echoladder.harness.doctor.Row.Answer;
import echoladder.harness.limits.KnownLimit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Builds a row: what all limits have in common, once. */
public final class Limit {
  /** Where a limit is not in force. */
  public static final long ANY = Long.MAX_VALUE;

  private final HostFacts host;
  private final String name;
  private final String unit;
  private final String page;
  private String arithmetic = "";
  private @Nullable Long needed;
  private @Nullable Long present;
  private @Nullable Long connections = ANY;
  private Answer shortfall = Answer.SHORT;
  private @Nullable String exempt;
  private @Nullable String lift;
  private boolean liftable;
  private @Nullable String because;

  private Limit(HostFacts host, KnownLimit limit) {
    this.host = host;
    this.name = limit.id();
    this.unit = limit.unit();
    this.page = limit.page();
  }

  static Limit of(HostFacts host, KnownLimit limit) {
    return new Limit(host, limit);
  }

  /** A setting; where it falls short, it is set to what is needed. */
  static Limit sysctl(HostFacts host, KnownLimit of) {
    Limit limit = new Limit(host, of);
    limit.present = host.number(of.settings().getFirst());
    return limit;
  }

  /** What is needed, and how it comes about. */
  Limit needs(long amount, String how) {
    needed = amount;
    arithmetic = how + " = " + count(amount);
    return this;
  }

  Limit present(@Nullable Long amount) {
    present = amount;
    return this;
  }

  /** How many connections it allows as it is; unknown where {@code present} is. */
  Limit allows(@Nullable Long amount) {
    connections = amount == null ? null : (Long) Math.max(0, amount);
    return this;
  }

  /** Falling short of it ends no climb, but may slow or hurt it. */
  Limit risk() {
    shortfall = Answer.RISK;
    connections = ANY;
    return this;
  }

  /** Makes this limit a risk, see {@link #risk()}, where {@code so} is true. */
  Limit risk(boolean so) {
    return so ? risk() : this;
  }

  /** It does not bind this process; null = it does. */
  Limit exempt(@Nullable String why) {
    exempt = why;
    return this;
  }

  /** What else is to be known. */
  Limit note(String more) {
    arithmetic = arithmetic.isEmpty() ? more : arithmetic + "; " + more;
    return this;
  }

  /** The command that lifts it, whether this process may run it with success, and what is in the way where not. */
  Limit lift(String command, boolean may, String inTheWay) {
    lift = command;
    liftable = may;
    because = inTheWay;
    return this;
  }

  Row notHere(String why) {
    return new Row(name, unit, why, null, present, Answer.NOT_HERE, ANY, null, null, null, page);
  }

  Row unknown(String why) {
    note(why);
    return new Row(name, unit, arithmetic, needed, present, Answer.UNKNOWN, null, null, null, null, page);
  }

  Row row() {
    Long has = present;
    Long must = needed;
    if (has == null) {
      return unknown("this kernel or network namespace does not show it; the host's value applies");
    }
    if (must == null || has >= must) {
      return new Row(name, unit, arithmetic, needed, present, Answer.OK, connections, null, null, null, page);
    }
    if (exempt != null) {
      note(exempt);
      return new Row(name, unit, arithmetic, needed, present, Answer.OK, ANY, null, null, null, page);
    }
    if (lift == null) {
      liftBySysctl(must);
    }
    return new Row(name, unit, arithmetic, needed, present, shortfall, connections, because, lift, liftable, page);
  }

  private void liftBySysctl(long must) {
    boolean may = host.writable().contains(name);
    lift("sysctl -w " + name + "=" + must, may, notWritable(name, count(present)));
  }

  /** For a setting that this process may not write. */
  static String notWritable(String key, String value) {
    return key + " " + value + " cannot be set by this process: /proc/sys is read-only for it, or it is not root on the host";
  }

  /** {@code 28,232}, {@code unlimited}, or {@code -} where it is not known. */
  public static String count(@Nullable Long n) {
    return n == null ? "-" : n == ANY ? "unlimited" : String.format(Locale.ROOT, "%,d", n);
  }
}
