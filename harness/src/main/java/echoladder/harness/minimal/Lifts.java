package echoladder.harness.minimal;

import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.Row;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.server.ServerSettings;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.SettingsProfile;
import echoladder.harness.tune.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What may be needed on a host, before anything is tried. Pure.
 *
 * @param all in the order of the doctor's rows, the ones that end a climb first
 * @param inTheWay limits that fall short and that no setting of these sorts lifts, a sentence each
 * @param absent kernel settings of the profile that this kernel or network namespace does not show
 */
public record Lifts(List<Lift> all, List<String> inTheWay, List<String> absent) {
  private static final String LIFTS = "lifts:   ";
  private static final String VALUE = "value:   ";
  private static final String SOMAXCONN = KnownLimit.SOMAXCONN.id();

  public Lifts {
    all = List.copyOf(all);
    inTheWay = List.copyOf(inTheWay);
    absent = List.copyOf(absent);
  }

  /**
   * What the doctor says is too low, with the profile's values where these suffice and the doctor's else.
   *
   * @param found on the host as it is taken to be
   * @param backlog of the server, without any lift
   */
  public static Lifts tooLow(Examination found, SettingsProfile profile, int backlog) {
    return of(found, profile, backlog, _ -> null, false);
  }

  /**
   * What the doctor says is too low, and every other line of the profile that would change something.
   *
   * @param present gives the value of a kernel setting that the doctor does not look at; null = it is not there
   */
  public static Lifts wholeProfile(Examination found, SettingsProfile profile, int backlog, Function<String, @Nullable String> present) {
    return of(found, profile, backlog, present, true);
  }

  private static Lifts of(
      Examination found, SettingsProfile profile, int backlog, Function<String, @Nullable String> present, boolean whole) {
    Map<String, Knob> knobs = new LinkedHashMap<>();
    profile.knobs().forEach(knob -> knobs.put(knob.key(), knob));
    List<Lift> all = new ArrayList<>();
    List<String> inTheWay = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (Row row : found.named()) {
      Optional<Lift> lift = lift(row, found, knobs);
      lift.ifPresent(all::add);
      if (lift.isEmpty() && row.answer() == Row.Answer.SHORT) {
        inTheWay.add(row.limit() + ": " + row.because());
      }
    }
    if (whole) {
      for (Knob knob : profile.knobs()) {
        String is = found.host().sysctl().getOrDefault(knob.key(), "");
        String from = is.isEmpty() ? present.apply(knob.key()) : is;
        if (from == null) {
          absent.add(knob.key());
        } else if (all.stream().noneMatch(lift -> lift.name().equals(knob.key()))) {
          String to = Values.covering(knob.key(), from, knob.value());
          if (!to.equals(from)) {
            all.add(Lift.sysctl(knob.key(), from, to, why(knob, null)));
          }
        }
      }
    }
    backlog(found, whole ? knobs.get(SOMAXCONN) : null, backlog).ifPresent(all::add);
    return new Lifts(all, inTheWay, absent);
  }

  private static Optional<Lift> lift(Row row, Examination found, Map<String, Knob> knobs) {
    KnownLimit limit = KnownLimit.ofId(row.limit());
    Long needed = row.needed();
    Long present = row.present();
    List<String> why = List.of(LIFTS + row.unit() + ": " + row.limit(), VALUE + row.arithmetic());
    if (limit == KnownLimit.NOFILE_SERVER || limit == KnownLimit.NOFILE_CLIENT) {
      Lift.Kind kind = limit == KnownLimit.NOFILE_SERVER ? Lift.Kind.SERVER_NOFILE : Lift.Kind.CLIENT_NOFILE;
      return needed == null || present == null ? Optional.empty() : Optional.of(Lift.other(kind, present, needed, why));
    }
    Optional<Knob> asked = row.setting();
    String from = asked.isEmpty() ? null : found.host().sysctl().get(asked.get().key());
    if (asked.isEmpty() || from == null || limit == KnownLimit.OVERCOMMIT) {
      return Optional.empty();
    }
    String key = asked.get().key();
    String least = Values.covering(key, from, asked.get().value());
    Knob knob = knobs.get(key);
    if (knob == null) {
      return Optional.of(Lift.sysctl(key, from, least, why));
    }
    String profiles = Values.covering(key, from, knob.value());
    boolean enough = profiles.equals(Values.covering(key, least, knob.value()));
    return Optional.of(enough ? Lift.sysctl(key, from, profiles, why(knob, row)) : Lift.sysctl(key, from, least, why));
  }

  /** Lifts the server's backlog: a listener has the lesser of somaxconn and its backlog, so both have to be lifted. */
  private static Optional<Lift> backlog(Examination found, @Nullable Knob somaxconn, int backlog) {
    long usual = Math.min(found.question().connections(), ServerSettings.DEFAULT.backlog());
    long profiles = somaxconn == null ? 0 : Long.parseLong(somaxconn.value());
    long to = Math.max(usual, profiles);
    return to <= backlog
        ? Optional.empty()
        : Optional.of(
            Lift.other(
                Lift.Kind.BACKLOG, backlog, to,
                List.of(
                    LIFTS + "accept queue: what the server asks of listen(); the lesser of this and somaxconn counts",
                    VALUE + (profiles == to ? "that of net.core.somaxconn in the profile"
                        : "the lesser of N and what all servers get alike"))));
  }

  /** The profile's own words, but for the default and the counter. */
  private static List<String> why(Knob knob, @Nullable Row row) {
    List<String> why =
        new ArrayList<>(knob.comments().stream().filter(line -> line.startsWith(LIFTS) || line.startsWith(VALUE)).toList());
    if (why.stream().noneMatch(line -> line.startsWith(LIFTS))) {
      why.addFirst(LIFTS + (row == null ? "what its profile does not say" : row.unit() + ": " + row.limit()));
    }
    if (why.stream().noneMatch(line -> line.startsWith(VALUE))) {
      why.add(VALUE + (row == null ? "the profile's" : row.arithmetic()));
    }
    return why;
  }
}
