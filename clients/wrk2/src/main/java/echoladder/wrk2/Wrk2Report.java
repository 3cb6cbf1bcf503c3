package echoladder.wrk2;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What wrk2 prints at its end.
 *
 * @param requests answered in the whole run, with whatever status
 * @param seconds of the whole run
 * @param requestsPerSecond of the whole run, ramp included
 * @param errors it counted
 * @param calibrationMeansMs mean times that each thread threw away; fewer than threads where one did not calibrate
 * @param corrected from the intended send
 * @param uncorrected from the actual send
 * @param mismatches bodies that were not what was sent; null where its script did not look
 */
record Wrk2Report(
    long requests,
    double seconds,
    double requestsPerSecond,
    Errors errors,
    List<Double> calibrationMeansMs,
    @Nullable Distribution corrected,
    @Nullable Distribution uncorrected,
    @Nullable Long mismatches) {

  /**
   * Counted by wrk2.
   *
   * @param connect connects that failed
   * @param read connections that broke while read from
   * @param write connections that broke while written to
   * @param timeout every two seconds, connections whose last request is older than its bound
   * @param status answers of status 400 and above
   */
  record Errors(long connect, long read, long write, long timeout, long status) {
    Errors plus(Errors other) {
      return new Errors(
          connect + other.connect, read + other.read, write + other.write, timeout + other.timeout, status + other.status);
    }
  }

  private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in ([0-9.]+)([a-z]+), ");
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
  private static final Pattern SOCKET =
      Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
  private static final Pattern STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern CALIBRATION = Pattern.compile("Thread calibration: mean lat\\.: ([0-9.]+)ms");
  private static final Pattern JSON = Pattern.compile("(?m)^\\{\"requests\":.*}$");
  private static final Pattern PERCENT = Pattern.compile("(?m)^\\s*(\\d+\\.\\d+)%\\s+([0-9.]+)([a-z]+)\\s*$");
  private static final Pattern STEP = Pattern.compile("(?m)^\\s*([0-9.]+)\\s+[01]\\.\\d{6}\\s+(\\d+)\\s+[0-9.inf]+\\s*$");
  private static final Pattern MEAN = Pattern.compile("#\\[Mean\\s+=\\s+([0-9.]+),");
  private static final Pattern MAX = Pattern.compile("#\\[Max\\s+=\\s+([0-9.]+), Total count\\s+=\\s+(\\d+)]");

  /** Reads its stdout; empty where there is no summary in it, or one with a number or a unit that is none. */
  static Optional<Wrk2Report> parse(String stdout) {
    try {
      return read(stdout);
    } catch (IllegalArgumentException | JacksonException e) {
      return Optional.empty();
    }
  }

  private static Optional<Wrk2Report> read(String stdout) {
    Matcher total = TOTAL.matcher(stdout);
    Matcher rate = RATE.matcher(stdout);
    if (!total.find() || !rate.find()) {
      return Optional.empty();
    }
    List<Double> calibrations = new ArrayList<>();
    Matcher calibration = CALIBRATION.matcher(stdout);
    while (calibration.find()) {
      calibrations.add(Double.valueOf(calibration.group(1)));
    }
    JsonNode json = json(stdout);
    Distribution printed = printed(stdout, "Recorded Latency");
    Distribution exact =
        json == null
            ? null
            : exact(json.path("lat_us")).withSpectrum(printed == null ? List.of() : printed.spectrum());
    return Optional.of(
        new Wrk2Report(
            Long.parseLong(total.group(1)),
            json == null ? us(total.group(2), total.group(3)) / 1e6 : json.path("duration_us").asLong() / 1e6,
            Double.parseDouble(rate.group(1)),
            errors(stdout),
            List.copyOf(calibrations),
            exact != null ? exact : printed,
            printed(stdout, "Uncorrected Latency"),
            json == null || !json.has("mismatches") ? null : (Long) json.path("mismatches").asLong()));
  }

  /** What several processes that ran side by side say, as one; see {@link Distribution#together}. */
  static Wrk2Report together(List<Wrk2Report> reports) {
    boolean looked = reports.stream().noneMatch(r -> r.mismatches == null);
    return new Wrk2Report(
        reports.stream().mapToLong(Wrk2Report::requests).sum(),
        reports.stream().mapToDouble(Wrk2Report::seconds).max().orElse(0),
        reports.stream().mapToDouble(Wrk2Report::requestsPerSecond).sum(),
        reports.stream().map(Wrk2Report::errors).reduce(new Errors(0, 0, 0, 0, 0), Errors::plus),
        reports.stream().flatMap(r -> r.calibrationMeansMs.stream()).toList(),
        together(reports, Wrk2Report::corrected),
        together(reports, Wrk2Report::uncorrected),
        looked ? (Long) reports.stream().mapToLong(r -> r.mismatches == null ? 0 : r.mismatches).sum() : null);
  }

  private static @Nullable Distribution together(
      List<Wrk2Report> reports, Function<Wrk2Report, @Nullable Distribution> kind) {
    List<Distribution> parts = reports.stream().map(kind).filter(Objects::nonNull).toList();
    return parts.size() == reports.size() ? Distribution.together(parts) : null;
  }

  private static @Nullable JsonNode json(String stdout) {
    Matcher line = JSON.matcher(stdout);
    try {
      return line.find() ? JsonMapper.shared().readTree(line.group()) : null;
    } catch (JacksonException e) {
      // The line of a tool that was killed while it printed; the text above it is what there is.
      return null;
    }
  }

  private static Distribution exact(JsonNode us) {
    TreeMap<Double, Double> percentiles = new TreeMap<>();
    us.forEachEntry(
        (name, value) -> {
          if (name.startsWith("p")) {
            percentiles.put(Double.valueOf(name.substring(1)), value.asDouble());
          }
        });
    return new Distribution(
        percentiles, us.path("count").asLong(-1), us.path("mean").asDouble(), us.path("max").asDouble(), List.of());
  }

  /** A section of text; null where it was not asked for. */
  private static @Nullable Distribution printed(String stdout, String kind) {
    int start = stdout.indexOf("(HdrHistogram - " + kind);
    if (start < 0) {
      return null;
    }
    int end = stdout.indexOf("-----", start);
    String section = stdout.substring(start, end < 0 ? stdout.length() : end);
    TreeMap<Double, Double> percentiles = new TreeMap<>();
    Matcher line = PERCENT.matcher(section);
    while (line.find()) {
      percentiles.put(Double.valueOf(line.group(1)), us(line.group(2), line.group(3)));
    }
    Matcher mean = MEAN.matcher(section);
    Matcher max = MAX.matcher(section);
    boolean whole = mean.find() && max.find();
    return whole
        ? new Distribution(
            percentiles,
            Long.parseLong(max.group(2)),
            Double.parseDouble(mean.group(1)) * 1e3,
            Double.parseDouble(max.group(1)) * 1e3,
            spectrum(section))
        : null;
  }

  /** Its printed times are milliseconds. */
  private static List<Distribution.Step> spectrum(String section) {
    List<Distribution.Step> steps = new ArrayList<>();
    Matcher line = STEP.matcher(section);
    while (line.find()) {
      steps.add(new Distribution.Step(Double.parseDouble(line.group(1)) * 1e3, Long.parseLong(line.group(2))));
    }
    return List.copyOf(steps);
  }

  private static Errors errors(String stdout) {
    Matcher socket = SOCKET.matcher(stdout);
    Matcher status = STATUS.matcher(stdout);
    boolean some = socket.find();
    return new Errors(
        some ? Long.parseLong(socket.group(1)) : 0,
        some ? Long.parseLong(socket.group(2)) : 0,
        some ? Long.parseLong(socket.group(3)) : 0,
        some ? Long.parseLong(socket.group(4)) : 0,
        status.find() ? Long.parseLong(status.group(1)) : 0);
  }

  private static double us(String number, String unit) {
    double value = Double.parseDouble(number);
    return switch (unit) {
      case "us" -> value;
      case "ms" -> value * 1e3;
      case "s" -> value * 1e6;
      case "m" -> value * 60e6;
      case "h" -> value * 3600e6;
      default -> throw new IllegalArgumentException("wrk2 printed a time in '" + unit + "', which is no unit of its");
    };
  }
}
