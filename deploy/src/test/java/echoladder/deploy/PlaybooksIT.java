package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import echoladder.hosts.SshHosts;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server's host and two client hosts, each with an sshd, from bare to a run and back: prepare, run, collect, report, undo. */
@Order(1)
@Needs({Need.ANSIBLE_INVENTORY, Need.ANSIBLE_PLAYBOOK, Need.IP, Need.NAMESPACES, Need.PRLIMIT, Need.PYTHON, Need.SSH, Need.SSHD, Need.VETH})
@Tag("long")
final class PlaybooksIT {
  private static final String SERVER = "server-1";
  private static final String CLIENT = "client-1";
  private static final String OTHER = "client-2";
  private static final List<String> CLIENTS = List.of(CLIENT, OTHER);
  private static final List<String> NAMES = Stream.concat(Stream.of(SERVER), CLIENTS.stream()).toList();

  /** What prepare adds to the first client. */
  private static final String ADDED = "10.78.0.101";

  private static final String ADDED_TOO = "10.78.0.102";

  /** Settings that each network namespace has of its own. */
  private static final Map<String, String> PROFILE =
      Map.of(
          "net.core.somaxconn", "5001",
          "net.ipv4.tcp_max_syn_backlog", "100001",
          "net.ipv4.ip_local_port_range", "10241 65535");

  private static final Pattern RECAP = Pattern.compile("(?m)^(\\S+) +: ok=\\d+ +changed=(\\d+) +unreachable=(\\d+) +failed=(\\d+)");

  @TempDir private Path dir;

  /** How often each host was changed, of a playbook that went well on all. */
  private static Map<String, Integer> changes(Ended ended) {
    return changes(ended, NAMES.toArray(String[]::new));
  }

  /** How often each of those hosts was changed, by a playbook that went well on them and ran on no other. */
  private static Map<String, Integer> changes(Ended ended, String... names) {
    assertThat(ended.status()).as(ended.said()).isZero();
    Map<String, Integer> changes = new LinkedHashMap<>();
    for (Matcher recap = RECAP.matcher(ended.out()); recap.find(); ) {
      assertThat(recap.group(3) + recap.group(4)).as(recap.group()).isEqualTo("00");
      changes.put(recap.group(1), Integer.valueOf(recap.group(2)));
    }
    assertThat(changes.keySet()).containsExactlyInAnyOrder(names);
    assertThat(ended.said()).doesNotContain("[WARNING]", "[DEPRECATION WARNING]");
    return changes;
  }

  private Path inventory(SshHosts hosts) throws IOException {
    StringBuilder profile = new StringBuilder();
    PROFILE.forEach((key, value) -> profile.append(key).append(" = ").append(value).append('\n'));
    Path settings = Files.writeString(dir.resolve("test.conf"), profile);
    Map<String, Map<String, String>> own =
        Map.of(
            SERVER, Map.of("echo_ladder_server", "virtual-threads"),
            // One that it has already, which is to stay.
            CLIENT, Map.of("echo_ladder_source_addresses", "[%s, %s, %s]".formatted(ADDED, hosts.address(CLIENT), ADDED_TOO)),
            // More than any host may have.
            OTHER, Map.of("echo_ladder_nofile", "9999999999"));
    String text =
        hosts.inventory(
            name -> {
              Map<String, String> variables = new LinkedHashMap<>();
              variables.put("echo_ladder_dir", home(name).toString());
              variables.put("echo_ladder_profile", settings.toString());
              variables.put("echo_ladder_nofile", "1024");
              variables.put("echo_ladder_connections", "3000");
              variables.putAll(own.getOrDefault(name, Map.of()));
              return variables;
            });
    return Files.writeString(dir.resolve("inventory.yml"), text);
  }

  private Path home(String name) {
    return dir.resolve(name).resolve("echo-ladder");
  }

  private Ended play(SshHosts hosts, String playbook, String... options) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("ansible-playbook", "-i", dir.resolve("inventory.yml").toString(), Tarball.CHECKOUT.resolve("deploy/" + playbook).toString()));
    command.addAll(Arrays.asList(options));
    ProcessBuilder builder = hosts.onController(command.toArray(String[]::new)).directory(dir.toFile());
    // As a shell would set it.
    builder.environment().put("PWD", dir.toString());
    return Commands.run(builder);
  }

  /** What all hosts answer, by their names; they are asked at once. */
  private static Map<String, String> answers(SshHosts hosts, UnaryOperator<String> command) {
    Map<String, CompletableFuture<String>> asked = new LinkedHashMap<>();
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      NAMES.forEach(name -> asked.put(name, CompletableFuture.supplyAsync(() -> hosts.ask(name, command.apply(name)), askers)));
    }
    Map<String, String> answers = new LinkedHashMap<>();
    asked.forEach((name, answer) -> answers.put(name, answer.join()));
    return answers;
  }

  /** What prepare may change, of each host: settings, limits, addresses, files. */
  private Map<String, String> state(SshHosts hosts) {
    String keys = String.join(" ", PROFILE.keySet().stream().sorted().map(key -> key.replace('.', '/')).toList());
    return answers(
        hosts,
        name ->
            "cd /proc/sys && grep -H . " + keys + "; cd /etc/security/limits.d && grep -rs '^[^#]' .; ip -oneline -4 address show; ls "
                + dir.resolve(name) + " | grep echo-ladder; true");
  }

  @Test
  void fromBareHostsToReadyOnesAndBack() throws Exception {
    try (SshHosts hosts = SshHosts.start(dir, NAMES.toArray(String[]::new))) {
      Path inventory = inventory(hosts);
      Map<String, String> before = state(hosts);

      Ended check = play(hosts, "check.yml");
      assertThat(changes(check).values()).allMatch(changed -> changed > 0);
      assertThat(check.out()).contains("The ladder is not unpacked here", ADDED_TOO);
      assertThat(changes(play(hosts, "prepare.yml", "--check", "--limit", CLIENT), CLIENT).get(CLIENT)).isPositive();
      oneWithoutPythonEndsItBeforeAnythingIsChanged(hosts);
      assertThat(state(hosts)).isEqualTo(before);

      Ended prepare = play(hosts, "prepare.yml", "--diff");
      assertThat(changes(prepare).values()).allMatch(changed -> changed > 0);
      assertThat(prepare.out())
          .contains("3,000 connections to virtual-threads, the server's ends on this host", "1,500 connections, the clients' ends on this host")
          .contains("The clock is ", "The limit of descriptors stays, as root may not raise it to 9999999999");
      Map<String, String> ready = state(hosts);
      for (String name : NAMES) {
        assertThat(ready.get(name)).contains("net/core/somaxconn:5001", "tcp_max_syn_backlog:100001", "ip_local_port_range:10241\t65535");
      }
      assertThat(answers(hosts, name -> home(name) + "/ladder --version").values()).allMatch(version -> version.startsWith("ladder "));
      // A server that does not raise its soft limit has that one.
      String both = "(?s).*\\* +soft nofile 1024\n.*\\* +hard nofile 1024\n.*root soft nofile 1024\n.*root hard nofile 1024\n.*";
      assertThat(ready.get(SERVER)).matches(both).doesNotContain("nofile 1048576", ADDED, ADDED_TOO);
      assertThat(ready.get(CLIENT)).matches(both).doesNotContain("nofile 1048576").contains("inet " + ADDED + "/32", "inet " + ADDED_TOO + "/32");
      assertThat(ready.get(OTHER)).doesNotContain("nofile");

      // Of the others the last prepare shows the same.
      assertThat(changes(play(hosts, "prepare.yml", "--limit", CLIENT), CLIENT)).isEqualTo(Map.of(CLIENT, 0));
      assertThat(state(hosts)).isEqualTo(ready);

      hosts.ask(CLIENT, "echo 4001 >/proc/sys/net/core/somaxconn; ip address del " + ADDED_TOO + "/32 dev " + SshHosts.INTERFACE);
      Map<String, String> disturbed = state(hosts);
      Ended again = play(hosts, "check.yml");
      assertThat(changes(again)).containsEntry(SERVER, 0).containsEntry(OTHER, 0);
      assertThat(changes(again).get(CLIENT)).isPositive();
      assertThat(again.out()).contains("net.core.somaxconn", "4001");
      assertThat(state(hosts)).isEqualTo(disturbed);

      // The address stands in the journal twice then.
      Map<String, Integer> mended = changes(play(hosts, "prepare.yml"));
      assertThat(mended).containsEntry(SERVER, 0).containsEntry(OTHER, 0);
      assertThat(mended.get(CLIENT)).isPositive();
      assertThat(state(hosts)).isEqualTo(ready);
      HostsRun run = new HostsRun(hosts, SERVER, CLIENTS, dir);
      run.isRefusedWithAnotherKey(inventory);
      // Of a client host that names none, the kernel chooses.
      Path folder = run.climbs(inventory, List.of(ADDED, hosts.address(CLIENT), ADDED_TOO));
      isCollected(hosts, folder);
      run.isReported(folder);
      whoseLadderIsGoneKeepsItsSettingsAndIsSaid(hosts);

      assertThat(changes(play(hosts, "undo.yml", "--check", "--limit", CLIENT), CLIENT).get(CLIENT)).isPositive();
      assertThat(state(hosts)).isEqualTo(ready);
      Ended undo = play(hosts, "undo.yml");
      assertThat(changes(undo).values()).allMatch(changed -> changed > 0);
      assertThat(state(hosts)).isEqualTo(before);
      assertThat(changes(play(hosts, "undo.yml")).values()).containsOnly(0);
      assertThat(state(hosts)).isEqualTo(before);
    }
  }

  private void oneWithoutPythonEndsItBeforeAnythingIsChanged(SshHosts hosts) throws Exception {
    String python = "{{ '/nowhere/python3' if inventory_hostname == '%s' else '/usr/bin/python3' }}".formatted(OTHER);
    Ended prepare = play(hosts, "prepare.yml", "--extra-vars", "{\"ansible_python_interpreter\": \"" + python + "\"}");
    assertThat(prepare.status()).as(prepare.said()).isNotZero();
    // Ansible gives the same sentence once more, with the task that failed.
    assertThat(prepare.out().lines().filter(line -> line.startsWith("fatal: ") && line.contains("has no Python")))
        .singleElement()
        .asString()
        .contains(OTHER + " has no Python: there is no program /nowhere/python3. Install it there (apt-get install python3), or name another one");
    Matcher recap = RECAP.matcher(prepare.out());
    assertThat(recap.results().map(of -> of.group(2))).hasSize(NAMES.size()).containsOnly("0");
  }

  private void whoseLadderIsGoneKeepsItsSettingsAndIsSaid(SshHosts hosts) throws Exception {
    Path ladder = home(OTHER).resolve("ladder");
    Path away = home(OTHER).resolve("away");
    Files.move(ladder, away);
    Ended undo = play(hosts, "undo.yml", "--limit", OTHER);
    assertThat(undo.status()).as(undo.said()).isNotZero();
    assertThat(undo.out()).contains("and no ladder in", "to put them back. Prepare it again, then undo");
    Files.move(away, ladder);
  }

  private void isCollected(SshHosts hosts, Path run) throws Exception {
    Ended none = play(hosts, "collect.yml", "--limit", CLIENT, "--extra-vars", "echo_ladder_run=results");
    assertThat(none.status()).isNotZero();
    assertThat(none.out()).contains("results has no run.json; name the run's folder");
    changes(play(hosts, "collect.yml", "--extra-vars", "echo_ladder_run=" + dir.relativize(run)));
    for (String name : NAMES) {
      Path of = run.resolve("hosts").resolve(name);
      JsonNode environment = new JsonMapper().readTree(Files.readString(of.resolve("environment.json")));
      assertThat(environment.path("kernel").path("release").asString()).isNotEmpty();
      JsonNode doctor = new JsonMapper().readTree(Files.readString(of.resolve("doctor.json")));
      assertThat(doctor.isObject()).isTrue();
      assertThat(of.resolve("kernel.log")).exists();
      try (Stream<Path> files = Files.list(of)) {
        assertThat(files.map(file -> file.getFileName().toString())).anyMatch(file -> file.matches("tune-.*[.]jsonl"));
      }
    }
    assertThat(run.resolve("hosts").resolve(CLIENT).resolve("addresses")).content().contains(ADDED_TOO).doesNotContain(hosts.address(CLIENT));
  }
}
