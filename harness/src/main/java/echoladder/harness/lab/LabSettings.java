package echoladder.harness.lab;

import echoladder.harness.tune.SettingsProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a lab is asked to be.
 *
 * @param memoryBytes of the guest, for everything in it together
 * @param timeout from the start of the command, which is asked to end then
 * @param profile kernel settings that are made inside before the command starts
 * @param writable folders of this host, without links, that what is written in the lab goes through to; all else goes to a
 *     scratch. With {@code /} among them there is no scratch
 * @param mostWrittenBytes to this host's files, all together; the lab is switched off beyond that
 * @param leastMappings what vm.max_map_count of this host has to be; 0 = whatever it is
 */
public record LabSettings(
    long memoryBytes, Duration timeout, SettingsProfile profile, List<Path> writable, long mostWrittenBytes, long leastMappings) {
  public LabSettings {
    writable = List.copyOf(writable);
  }

  /** Whether the lab sees this host's files under a scratch of its own. */
  public boolean scratch() {
    return !writable.contains(Path.of("/"));
  }
}
