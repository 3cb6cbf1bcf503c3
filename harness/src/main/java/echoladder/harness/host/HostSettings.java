package echoladder.harness.host;

import echoladder.harness.results.Sysctls;
import echoladder.linux.process.DescriptorLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The settings of the host that must stay as they are while a rung is measured. */
public record HostSettings(Map<String, String> values) {
  public HostSettings {
    values = new TreeMap<>(values);
  }

  /** As they are now. */
  public static HostSettings read() {
    Map<String, String> values = new TreeMap<>(Sysctls.read());
    values.put("nofile", DescriptorLimit.own().toString());
    return new HostSettings(values);
  }

  /** What differs later, each as {@code name: before -> after}. */
  public List<String> changes(HostSettings later) {
    List<String> changes = new ArrayList<>();
    values.forEach(
        (name, before) -> {
          String after = later.values.get(name);
          if (!Objects.equals(before, after)) {
            changes.add(name + ": " + before + " -> " + after);
          }
        });
    return changes;
  }
}
