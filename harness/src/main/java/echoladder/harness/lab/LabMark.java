package echoladder.harness.lab;

import echoladder.harness.common.ProcText;
import echoladder.linux.UserMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a result carries that was made inside a lab, or on hosts that are one machine.
 *
 * @param kind of {@link Lab#kind}, or {@link #ONE_KERNEL}
 * @param kernel its release
 * @param memoryBytes of the guest; 0 of hosts, whose memory is the machine's
 * @param mayClaim ids of {@link Quotable}: what the result may be quoted for
 * @param mayNotClaim the others
 */
public record LabMark(
    String kind, String kernel, long memoryBytes, List<String> mayClaim, List<String> mayNotClaim) {

  /** The variable by which a lab tells what it is; its value is {@code kind:bytes}. */
  public static final String VARIABLE = "ECHOLADDER_LAB";

  /** The part of the environment of a run over hosts that says whether they are one machine; in older runs it is missing. */
  public static final String ONE_KERNEL = "one_kernel";

  public LabMark {
    mayClaim = List.copyOf(mayClaim);
    mayNotClaim = List.copyOf(mayNotClaim);
  }

  /** The mark of the lab that this process is in; null = it is in none. */
  public static @Nullable LabMark here() {
    return of(
        ProcText.lines("/proc/cpuinfo"),
        System.getenv(),
        System.getProperty("os.version"),
        ProcText.number(ProcText.lines("/proc/meminfo"), "MemTotal:"));
  }

  /**
   * By what the kernel says of itself: a variable alone makes no lab, and a lab that somebody started otherwise is one.
   *
   * @param memoryKib MemTotal, where the variable does not say
   */
  static @Nullable LabMark of(
      List<String> cpuInfo, Map<String, String> environment, String release, OptionalLong memoryKib) {
    if (!UserMode.of(cpuInfo)) {
      return null;
    }
    String[] told = environment.getOrDefault(VARIABLE, "").split(":", -1);
    boolean known = told.length == 2 && told[0].equals(UserModeLinux.KIND) && told[1].matches("\\d{1,18}");
    long bytes = known ? Long.parseLong(told[1]) : memoryKib.orElse(0) << 10;
    return of(UserModeLinux.KIND, release, bytes);
  }

  /** No time and no CPU: on one machine server and clients share processors, and no network is between them. */
  private static LabMark of(String kind, String release, long bytes) {
    List<String> may = new ArrayList<>();
    List<String> mayNot = new ArrayList<>();
    // Those of a network are there only where the run makes one.
    Arrays.stream(Quotable.values())
        .filter(claim -> claim != Quotable.NETWORK_TIMES)
        .forEach(claim -> (UserModeLinux.CLAIMS.contains(claim) ? may : mayNot).add(claim.id()));
    return new LabMark(kind, release, bytes, may, mayNot);
  }

  /** Whether this process runs in a lab's kernel, which is thrown away afterwards. */
  public static boolean inside() {
    return UserMode.here();
  }

  /** The mark in a run's environment, as {@link #record} wrote it; null = the run was made in no lab, nor on hosts that are one machine. */
  public static @Nullable LabMark in(Map<String, @Nullable Object> environment) {
    if (environment.get("lab") instanceof Map<?, ?> lab) {
      return new LabMark(
          String.valueOf(lab.get("kind")),
          String.valueOf(lab.get("kernel")),
          lab.get("memory_bytes") instanceof Number bytes ? bytes.longValue() : 0,
          claims(lab.get("may_claim")),
          claims(lab.get("may_not_claim")));
    }
    return Boolean.TRUE.equals(environment.get(ONE_KERNEL))
        ? of(ONE_KERNEL, environment.get("kernel") instanceof Map<?, ?> kernel ? String.valueOf(kernel.get("release")) : "", 0)
        : null;
  }

  /** The environment of a run over networks of a delay that {@link Quotable#NETWORK_TIMES} takes; as it is where it has no lab's mark. */
  public static Map<String, @Nullable Object> overNetwork(Map<String, @Nullable Object> environment) {
    LabMark lab = environment.get("lab") == null ? null : in(environment);
    if (lab == null) {
      return environment;
    }
    List<String> may = new ArrayList<>(lab.mayClaim);
    may.add(Quotable.NETWORK_TIMES.id());
    Map<String, @Nullable Object> with = new LinkedHashMap<>(environment);
    with.put("lab", new LabMark(lab.kind, lab.kernel, lab.memoryBytes, may, lab.mayNotClaim).record());
    return with;
  }

  /** Whether it is of hosts that are one machine. */
  public boolean ofHosts() {
    return kind.equals(ONE_KERNEL);
  }

  private static List<String> claims(@Nullable Object recorded) {
    return recorded instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  /** Whether a result may be quoted for that; {@code lab} is where it was made, null = in none. */
  public static boolean mayClaim(@Nullable LabMark lab, Quotable claim) {
    return lab == null || lab.mayClaim.contains(claim.id());
  }

  /** As environment.json has it. */
  public Map<String, @Nullable Object> record() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("kind", kind);
    map.put("kernel", kernel);
    map.put("memory_bytes", memoryBytes);
    map.put("may_claim", mayClaim);
    map.put("may_not_claim", mayNotClaim);
    return map;
  }

  /** For the environment of a command that is run in a lab. */
  static String variable(Lab lab, long memoryBytes) {
    return lab.kind() + ":" + memoryBytes;
  }
}
