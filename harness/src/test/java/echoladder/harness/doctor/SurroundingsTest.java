package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SurroundingsTest {
  /** The form is that of ethtool 6 and the counters those of the driver ena, drivers/net/ethernet/amazon/ena/ena_ethtool.c. */
  private static final String STATISTICS =
      """
      NIC statistics:
           tx_timeout: 0
           interface_up: 1
           bw_in_allowance_exceeded: 0
           bw_out_allowance_exceeded: 3
           pps_allowance_exceeded: 0
           conntrack_allowance_exceeded: 1207
           linklocal_allowance_exceeded: 0
           conntrack_allowance_available: 0
           queue_0_tx_cnt: 77
      """;

  @TempDir private Path root;

  private void network(String name, String driver) throws IOException {
    Path device = Files.createDirectories(root.resolve("sys/class/net").resolve(name).resolve("device"));
    Files.createSymbolicLink(device.resolve("driver"), Path.of("../../../../bus/pci/drivers/" + driver));
  }

  @Test
  void aHostAloneHasNothingToSay() throws IOException {
    network("eth0", "virtio_net");
    Files.createDirectories(root.resolve("sys/class/net/lo"));
    assertThat(Surroundings.notes(root, Map.of(), _ -> STATISTICS)).isEmpty();
    assertThat(Surroundings.notes(root.resolve("none"), Map.of(), _ -> STATISTICS)).isEmpty();
  }

  @Test
  void theCountersOfAnElasticAdapterAreShown() throws IOException {
    network("ens5", "ena");
    Files.createDirectories(root.resolve("sys/class/dmi/id"));
    Files.writeString(root.resolve("sys/class/dmi/id/sys_vendor"), "Amazon EC2\n");
    assertThat(Surroundings.notes(root, Map.of(), _ -> STATISTICS))
        .containsExactly(
            "AWS EC2: what it tracks per instance and translates per gateway is not seen from here, nor after how long its load balancers forget"
                + " an idle connection; ask: runbooks/outside/cloud.md, runbooks/outside/idle-timeouts.md",
            "ens5: bw_in_allowance_exceeded: 0, bw_out_allowance_exceeded: 3, pps_allowance_exceeded: 0, conntrack_allowance_exceeded: 1207,"
                + " linklocal_allowance_exceeded: 0, conntrack_allowance_available: 0; packets of connections beyond EC2's own table were"
                + " dropped: runbooks/outside/cloud.md");
    assertThat(Surroundings.notes(root, Map.of(), _ -> STATISTICS.replace("1207", "0")).getLast()).doesNotContain("dropped");
    assertThat(Surroundings.notes(root, Map.of(), _ -> null).getLast()).contains("cannot be read", "'ethtool -S ens5'");
    assertThat(Surroundings.notes(root, Map.of(), _ -> "NIC statistics:\n").getLast()).contains("no counters of allowances");
  }

  @Test
  void aContainerAndAPodAreNamed() throws IOException {
    Files.createFile(root.resolve(".dockerenv"));
    assertThat(Surroundings.notes(root, Map.of(), _ -> null)).singleElement().asString().startsWith("a container: ").endsWith("containers.md");
    assertThat(Surroundings.notes(root, Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"), _ -> null))
        .singleElement()
        .asString()
        .startsWith("a pod of Kubernetes: ")
        .endsWith("kubernetes.md");
  }
}
