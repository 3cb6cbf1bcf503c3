package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ansible-inventory --list} prints, and what a run takes of it. */
class InventoryTest {
  private static final String S1 = "\"s1\": {\"ansible_host\": \"192.0.2.1\", \"echo_ladder_dir\": \"/opt/l\", \"echo_ladder_address\": \"10.0.0.1\"}";
  private static final String C1 = "\"c1\": {\"ansible_host\": \"192.0.2.2\", \"echo_ladder_dir\": \"/opt/l\"}";

  private static String json(String hostvars, String servers, String clients) {
    return """
        {"_meta": {"hostvars": {%s}}, "all": {"children": ["servers", "clients"]}, "servers": {"hosts": [%s]}, "clients": {"hosts": [%s]}}"""
        .formatted(hostvars, servers, clients);
  }

  @Test
  void everyVariableIsTaken() {
    String full =
        """
        "c2": {"ansible_host": "192.0.2.3", "ansible_user": "load", "ansible_port": 2222, "ansible_ssh_private_key_file": "/k/id",
               "ansible_ssh_common_args": "-o StrictHostKeyChecking=no -F '/a b/config'", "echo_ladder_dir": "/opt/l",
               "echo_ladder_cores": [2, "3-4"], "echo_ladder_address": "10.0.0.2", "echo_ladder_source_addresses": ["10.0.0.3", "10.0.0.4"]}""";
    Inventory read = Inventory.parse(json(S1 + "," + C1 + "," + full, "\"s1\"", "\"c1\", \"c2\""), "inv.yml");
    assertThat(read.server().address()).isEqualTo("10.0.0.1");
    assertThat(read.clients()).extracting(InventoryHost::name).containsExactly("c1", "c2");
    InventoryHost c2 = read.clients().getLast();
    assertThat(c2.cores()).isEqualTo("2-4");
    assertThat(c2.sources()).containsExactly("10.0.0.2", "10.0.0.3", "10.0.0.4");
    assertThat(c2.control())
        .startsWith("setsid", "ssh", "-T", "-o", "BatchMode=yes")
        .containsSequence("-p", "2222", "-i", "/k/id", "-l", "load", "-o", "StrictHostKeyChecking=no", "-F", "/a b/config", "--", "192.0.2.3")
        .endsWith("sh -c 'test -x '\\''/opt/l/ladder'\\'' || exit 71; exec '\\''/opt/l/ladder'\\'' host'");
    assertThat(read.clients().getFirst().control()).doesNotContain("-p", "-i", "-l");
  }

  @Test
  void groupsOfGroupsAreFollowed() {
    String json =
        """
        {"_meta": {"hostvars": {%s, %s}}, "servers": {"hosts": ["s1"]}, "clients": {"children": ["rack"]}, "rack": {"hosts": ["c1"]}}"""
            .formatted(S1, C1);
    assertThat(Inventory.parse(json, "i").clients()).extracting(InventoryHost::name).containsExactly("c1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "|\"c1\"|the group 'servers' has no host",
        "\"s1\"||the group 'clients' has no host",
        "\"s1\"|\"s1\"|a host twice: s1 is in both groups",
        "\"s1\"|\"c1\",\"same\"|a host twice: 192.0.2.2 port 22 is reached under two names",
        "\"s1\"|\"twin\"|a host twice: 10.0.0.1 is the echo_ladder_address of two hosts",
        "\"s1\",\"c1\"|\"twin\"|a run starts its servers on one host, and the group 'servers' has 2: s1, c1",
        "\"c1\"|\"s1\"|c1 has no echo_ladder_address",
        "\"s1\"|\"nodir\"|echo_ladder_dir of nodir is missing; it is where the ladder is on that host, absolute",
        "\"s1\"|\"template\"|echo_ladder_dir of template is '{{ home }}/l'; templates are not filled in here: write the value itself",
        "\"s1\"|\"port\"|ansible_port of port is '70000'; a port from 1 to 65535 is expected",
        "\"s1\"|\"quote\"|ansible_ssh_common_args of quote is '-F 'x'; a quote has no end in: -F 'x",
        "\"s1\"|\"cores\"|echo_ladder_cores of cores is 'a-b'; processors are listed as 0-3,8",
        "\"s1\"|\"prefix\"|echo_ladder_source_addresses of prefix is '10.0.0.3/24'; IPv4 addresses are expected, without a prefix",
        "\"s1\"|\"few\",\"again\"|the source address 10.0.0.7 of again stands there twice, or is another host's",
        "\"s1\"|\"servers\"|the source address 10.0.0.1 of servers stands there twice, or is another host's"
      })
  void whatIsWrongIsSaidInOneLine(String servers, String clients, String said) {
    String others =
        """
        , "same": {"ansible_host": "192.0.2.2", "echo_ladder_dir": "/l"},
        "twin": {"ansible_host": "192.0.2.9", "echo_ladder_dir": "/l", "echo_ladder_address": "10.0.0.1"},
        "nodir": {"ansible_host": "192.0.2.8"},
        "template": {"echo_ladder_dir": "{{ home }}/l"},
        "port": {"echo_ladder_dir": "/l", "ansible_port": 70000},
        "quote": {"echo_ladder_dir": "/l", "ansible_ssh_common_args": "-F 'x"},
        "cores": {"echo_ladder_dir": "/l", "echo_ladder_cores": "a-b"},
        "prefix": {"echo_ladder_dir": "/l", "echo_ladder_source_addresses": ["10.0.0.3/24"]},
        "few": {"echo_ladder_dir": "/l", "echo_ladder_source_addresses": ["10.0.0.6", "10.0.0.7"]},
        "again": {"echo_ladder_dir": "/l", "echo_ladder_source_addresses": "10.0.0.7"},
        "servers": {"echo_ladder_dir": "/l", "echo_ladder_source_addresses": ["10.0.0.1"]}""";
    String json = json(S1 + "," + C1 + others, servers == null ? "" : servers, clients == null ? "" : clients);
    assertThatThrownBy(() -> Inventory.parse(json, "inv.yml"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("--hosts inv.yml: " + said)
        .satisfies(e -> assertThat(((Refusal) e).status()).isEqualTo(2))
        .satisfies(e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(1));
  }

  @Test
  void whatIsNoJsonIsSaid() {
    assertThatThrownBy(() -> Inventory.parse("[WARNING]", "inv.yml"))
        .hasMessageStartingWith("--hosts inv.yml: ansible-inventory --list printed no JSON");
  }
}
