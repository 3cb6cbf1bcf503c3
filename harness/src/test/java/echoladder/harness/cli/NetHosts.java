package echoladder.harness.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Network namespaces as hosts: a server's and some clients', each with an sshd of its own, on a bridge in a namespace that the
 * ladder runs in. Keys and configuration lie in the test's folder. Gone when closed.
 */
final class NetHosts implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String id = "%d%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet());
  private final Path dir;
  private final List<String> names = new ArrayList<>();
  private final List<Process> daemons = new ArrayList<>();

  /** The namespace of the ladder, with the bridge. */
  final String hub = "elh" + id;

  private NetHosts(Path dir) {
    this.dir = dir;
  }

  /** One server, s1, and so many clients, c1 and so on; their servers and studies are those of {@code home}. */
  static NetHosts up(Path dir, Path home, int clients) throws IOException {
    NetHosts hosts = new NetHosts(dir);
    try {
      hosts.names.add("s1");
      for (int i = 1; i <= clients; i++) {
        hosts.names.add("c" + i);
      }
      hosts.network();
      hosts.ssh(home);
      return hosts;
    } catch (IOException | AssertionError e) {
      hosts.close();
      throw e;
    }
  }

  private String namespace(String host) {
    return "el" + host + "-" + id;
  }

  /** Of a host by its place: 10.79.0.1 is the server's. */
  static String address(int place) {
    return "10.79.0." + (place + 1);
  }

  private void network() {
    needed("ip", "netns", "add", hub);
    needed("ip", "-n", hub, "link", "add", "br0", "type", "bridge");
    needed("ip", "-n", hub, "address", "add", "10.79.0.254/24", "dev", "br0");
    needed("ip", "-n", hub, "link", "set", "br0", "up");
    needed("ip", "-n", hub, "link", "set", "lo", "up");
    for (String host : names) {
      String namespace = namespace(host);
      needed("ip", "netns", "add", namespace);
      needed("ip", "link", "add", "to-" + host, "netns", hub, "type", "veth", "peer", "name", "eth0", "netns", namespace);
      needed("ip", "-n", hub, "link", "set", "to-" + host, "master", "br0");
      needed("ip", "-n", hub, "link", "set", "to-" + host, "up");
      needed("ip", "-n", namespace, "address", "add", address(names.indexOf(host)) + "/24", "dev", "eth0");
      needed("ip", "-n", namespace, "link", "set", "eth0", "up");
      needed("ip", "-n", namespace, "link", "set", "lo", "up");
    }
  }

  private void ssh(Path home) throws IOException {
    Path ladder = Files.createDirectories(dir.resolve("ladder-there")).resolve("ladder");
    Files.writeString(ladder, FakeHosts.ladderScript(home, dir.toString(), ""));
    needed("chmod", "755", ladder.toString());
    needed("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", dir.resolve("id").toString());
    needed("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", dir.resolve("wrong").toString());
    Files.copy(dir.resolve("id.pub"), dir.resolve("authorized"));
    for (String host : names) {
      Path own = Files.createDirectories(dir.resolve(host));
      needed("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", own.resolve("hostkey").toString());
      Path config =
          Files.writeString(
              own.resolve("sshd_config"),
              """
              ListenAddress %s
              HostKey %s/hostkey
              AuthorizedKeysFile %s/authorized
              PidFile none
              StrictModes no
              UsePAM no
              PasswordAuthentication no
              PermitRootLogin prohibit-password
              """
                  .formatted(address(names.indexOf(host)), own, dir));
      // Privilege separation wants a folder in /run; one that only this daemon sees is gone with it.
      String start = "mount -t tmpfs none /run && mkdir -m 755 /run/sshd && exec $(command -v sshd || echo /usr/sbin/sshd) -D -e -f " + config;
      daemons.add(
          new ProcessBuilder("ip", "netns", "exec", namespace(host), "unshare", "--mount", "sh", "-c", start)
              .redirectErrorStream(true)
              .redirectOutput(own.resolve("sshd.log").toFile())
              .start());
    }
    for (String host : names) {
      Awaitility.await("sshd of " + host)
          .atMost(Duration.ofSeconds(30))
          .until(() -> Files.readString(dir.resolve(host).resolve("sshd.log")).contains("Server listening"));
    }
  }

  /** As a user writes it, in YAML. */
  Path inventory() throws IOException {
    return inventory("id");
  }

  /** The same with another key. */
  Path inventory(String key) throws IOException {
    StringBuilder yaml = new StringBuilder("all:\n  vars:\n");
    yaml.append("    ansible_user: root\n    ansible_ssh_private_key_file: ").append(dir.resolve(key)).append('\n');
    yaml.append("    ansible_ssh_common_args: -F none -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no -o LogLevel=ERROR -o IdentitiesOnly=yes\n");
    yaml.append("    echo_ladder_dir: ").append(dir.resolve("ladder-there")).append('\n');
    yaml.append("  children:\n    servers:\n      hosts:\n");
    yaml.append("        s1: {ansible_host: 10.79.0.1, echo_ladder_address: 10.79.0.1}\n    clients:\n      hosts:\n");
    for (String host : names.subList(1, names.size())) {
      String address = address(names.indexOf(host));
      yaml.append("        %s: {ansible_host: %s, echo_ladder_address: %s, echo_ladder_source_addresses: [%s]}%n".formatted(host, address, address, address));
    }
    return Files.writeString(dir.resolve("inventory-" + key + ".yml"), yaml);
  }

  /** From now on nothing gets through to that host, or from it. */
  void cut(String host) {
    needed("ip", "-n", hub, "link", "set", "to-" + host, "down");
  }

  /** What was started on them and still runs. */
  List<ProcessHandle> left() {
    return FakeHosts.left(dir.toString());
  }

  private void needed(String... command) {
    String why = run(command);
    if (!why.isEmpty()) {
      throw new AssertionError(String.join(" ", command) + ": " + why);
    }
  }

  /** Empty where it succeeded, else what it said. */
  private static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "it did not end";
      }
      return process.exitValue() == 0 ? "" : "exit status " + process.exitValue() + ": " + said;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Override
  public void close() {
    for (Process daemon : daemons) {
      daemon.descendants().forEach(ProcessHandle::destroyForcibly);
      daemon.destroyForcibly();
    }
    names.forEach(host -> run("ip", "netns", "del", namespace(host)));
    run("ip", "netns", "del", hub);
  }
}
