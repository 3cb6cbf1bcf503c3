package echoladder.harness.knobs;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a run sets of the loopback of its own network namespace: a row each of kind {@code device} in sysctl/knobs.yaml. */
public enum LoopbackSetting {
  /** Which processors handle its packets beside their sender's. */
  RPS("/sys/class/net/lo/queues/rx-0/rps_cpus", "rps_cpus of lo", "0|all", "0 (no processor) or all"),
  /** Its queueing discipline. */
  QDISC("tc qdisc of lo", "qdisc of lo", "[a-z][a-z_]{1,14}", "the name of a queueing discipline, e.g. noqueue or fq");

  private final String key;
  private final String words;
  private final String values;
  private final String allowed;

  LoopbackSetting(String key, String words, String values, String allowed) {
    this.key = key;
    this.words = words;
    this.values = values;
    this.allowed = allowed;
  }

  /** That of a row's key. */
  public static Optional<LoopbackSetting> ofKey(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
  }

  /** As {@link KnobRow#key} has it, and the record of what is in force. */
  public String key() {
    return key;
  }

  /** In the settings of an entry, e.g. {@code rps_of_lo}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT) + "_of_lo";
  }

  /** In a sentence. */
  public String words() {
    return words;
  }

  /** What is wrong with a value; empty where nothing is. */
  public Optional<String> complaint(String value) {
    return value.matches(values) ? Optional.empty() : Optional.of("'%s' is not allowed; %s".formatted(value, allowed));
  }
}
