package echoladder.harness.host;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.common.Refusal;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code ansible-inventory --list} prints. */
class InventoryFuzzTest {
  static Stream<Arguments> seeds() {
    return Inputs.texts(
        """
        {"_meta":{"hostvars":{"s":{"ansible_host":"192.0.2.1","echo_ladder_dir":"/l","echo_ladder_address":"10.0.0.1"},\
        "c":{"ansible_port":22,"ansible_user":"u","ansible_ssh_common_args":"-F '/a b'","echo_ladder_dir":"/l","echo_ladder_cores":[2,"3-4"],\
        "echo_ladder_source_addresses":"10.0.0.3, 10.0.0.4"}}},"servers":{"hosts":["s"]},"clients":{"children":["rack"]},"rack":{"hosts":["c"]}}""",
        """
        {"servers":{"children":["a","b"]},"a":{"children":["servers"]},"b":{"hosts":["s"]},"clients":{"hosts":["{{ x }}"]}}""");
  }

  @MethodSource("seeds")
  @FuzzTest
  void anInventoryIsReadOrRefused(byte[] input) {
    try {
      Inventory inventory = Inventory.parse(Inputs.text(input), "hosts.yml");
      Ends.whole(inventory);
      inventory.server().control();
      inventory.clients().forEach(host -> host.kill(1));
    } catch (Refusal e) {
      Ends.said(e);
    }
  }
}
