package echoladder.harness.diagnosis;

import echoladder.harness.doctor.HostFacts;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Evidence of a rung, put together fact by fact. */
final class Seen {
  private final HostFacts facts;
  private final Map<String, Long> acceptErrors = new TreeMap<>();
  private final Map<String, Long> clientErrors = new TreeMap<>();
  private final Map<Figure, Long> peaks = new EnumMap<>(Figure.class);
  private final Reading ready = new Reading(0);
  private String log = "";
  private @Nullable String ending;
  private String clientFailure = "";
  private @Nullable List<String> kernelLog;

  Seen(HostFacts facts) {
    this.facts = facts;
  }

  Seen accepts(String reason, long n) {
    acceptErrors.put(reason, n);
    return this;
  }

  Seen client(String cause, long n) {
    clientErrors.put(cause, n);
    return this;
  }

  Seen clientFailed(String how) {
    clientFailure = how;
    return this;
  }

  Seen count(Figure figure, long before, long most) {
    ready.put(figure, before);
    peaks.put(figure, most);
    return this;
  }

  Seen log(String text) {
    log = text;
    return this;
  }

  Seen ended(String how) {
    ending = how;
    return this;
  }

  Seen kernel(String... lines) {
    kernelLog = List.of(lines);
    return this;
  }

  List<KnownLimit> limits() {
    return met().stream().map(MetLimit::limit).toList();
  }

  List<MetLimit> met() {
    return Diagnosis.of(
        new Evidence(
            facts, 100_000, 4_096L, acceptErrors, ServerWords.in(log), ending, clientErrors, clientFailure, ready, peaks, kernelLog));
  }
}
