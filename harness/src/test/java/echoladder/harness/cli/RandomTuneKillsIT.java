package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments to what changes settings: {@code tune apply}, a run whose entries have settings, a study of knobs
 * ({@code run tuning}), and the {@code tune restore} after each. Once a restore has come to its end, every setting is as it was, and
 * no journal is left. All of it is done in a network namespace.
 *
 * <p>{@code -Dkills=50 -Dkills.seed=7} makes the long form, or another one.
 */
@Needs({Need.IP, Need.NSENTER, Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
@Tag("long")
class RandomTuneKillsIT {
  private static final int KILLS = Integer.getInteger("kills", 3);
  private static final long SEED = Long.getLong("kills.seed", 20_260_102);
  private static final int MOST_STARTS = 20 + 4 * KILLS;

  /** Each with another value than the kernel's. */
  private static final Map<String, String> PROFILE = profile();

  private static final String STUDY =
      """
      name: killed
      question: Is anything left?
      servers:
        - {name: fake, label: one, settings: {sysctl: {net.core.somaxconn: 77, net.ipv4.tcp_fin_timeout: 33}}}
        - {name: fake, label: two, settings: {sysctl: {net.core.somaxconn: 78, net.ipv4.tcp_syn_retries: 3}}}
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, warm_up_echoes: 10, steady: 1s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      thresholds: {achieved_share_least: 0.01, hiccup_most: 1h, late_share_most: 0.99, host_idle_share_least: 0,
                   steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
      """;

  /** As studies/tuning, with less of everything. */
  private static final String KNOBS =
      STUDY.substring(0, STUDY.indexOf("servers:")).replace("name: killed", "name: knobs")
          + "servers: [fake]\ntuning: {}\n"
          + STUDY.substring(STUDY.indexOf("rungs:"));

  private static final String ROWS =
      """
      knobs:
        - {name: cork, kind: sysctl, key: net.ipv4.tcp_autocorking, scope: namespace, phases: [steady], default: '1', profile: '0',
           lifts: small writes, stands: '1', counter: nstat, costs: more packets}
        - {name: rmem, kind: sysctl, key: net.ipv4.tcp_rmem, scope: namespace, phases: [steady], default: 4096 131000 6291456,
           profile: 4096 1048576 33554432, lifts: receive buffers, stands: '4096 131072 6291456', counter: ss -tn, costs: memory}
      """;

  @TempDir private Path dir;
  @TempDir private Path journals;

  private OwnNamespace namespace;

  private final Random random = new Random(SEED);
  private final List<String> killed = new ArrayList<>();

  /** How long the last one took that came to its end, so that moments are drawn from all of its life. */
  private final Map<String, Long> lastMs = new LinkedHashMap<>();

  private int inForce;

  private static Map<String, String> profile() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("net.core.somaxconn", "1234");
    values.put("net.ipv4.ip_local_port_range", "20000 20999");
    values.put("net.ipv4.ip_local_reserved_ports", "20100-20199");
    values.put("net.ipv4.tcp_rmem", "4096 65536 1048576");
    values.put("net.ipv4.tcp_wmem", "4096 32768 1048576");
    values.put("net.ipv4.tcp_fin_timeout", "31");
    values.put("net.ipv4.tcp_keepalive_time", "601");
    values.put("net.ipv4.tcp_keepalive_intvl", "31");
    values.put("net.ipv4.tcp_keepalive_probes", "5");
    values.put("net.ipv4.tcp_max_syn_backlog", "777");
    values.put("net.ipv4.tcp_syn_retries", "4");
    values.put("net.ipv4.tcp_synack_retries", "4");
    values.put("net.ipv4.tcp_retries2", "9");
    values.put("net.ipv4.tcp_notsent_lowat", "131072");
    values.put("net.ipv4.tcp_autocorking", "0");
    values.put("net.ipv4.tcp_slow_start_after_idle", "0");
    return values;
  }

  @BeforeEach
  void namespace() throws Exception {
    namespace = new OwnNamespace("ladrand", journals);
  }

  @AfterEach
  void nothing() throws Exception {
    namespace.remove();
  }

  private List<String> values() throws Exception {
    return namespace.read(PROFILE.keySet());
  }

  private LadderProcess ladder(Path home, String... arguments) {
    return namespace.ladderOf(home, dir, arguments);
  }

  private List<Path> journals() throws IOException {
    try (Stream<Path> files = Files.list(journals)) {
      return files.filter(file -> file.toString().endsWith(".jsonl")).toList();
    }
  }

  @Test
  void whateverWasKilledRestorePutsEverySettingBack() throws Exception {
    Path home = new TestCheckout(dir.resolve("home")).study("killed", STUDY).study("knobs", KNOBS).write("sysctl/knobs.yaml", ROWS).checkout().root();
    Path profile = dir.resolve("own.conf");
    Files.write(profile, PROFILE.entrySet().stream().map(line -> line.getKey() + " = " + line.getValue()).toList());
    List<String> before = values();
    for (int starts = 0; killed.size() < KILLS; starts++) {
      assertThat(starts).as("processes started for %d kills: %s", killed.size(), killed).isLessThan(MOST_STARTS);
      int scene = random.nextInt(4);
      if (scene < 2) {
        String study = scene == 0 ? "killed" : "knobs";
        killedOrEnded("run " + study, ladder(home, "run", study, "--results", dir.resolve("results").toString()));
      } else {
        boolean ended = killedOrEnded("apply", ladder(home, "tune", "apply", profile.toString(), "--lower"));
        assertThat(!ended || !values().equals(before)).as("an apply that came to its end changes settings").isTrue();
      }
      if (!values().equals(before)) {
        inForce++;
        if (killed.size() < KILLS && random.nextBoolean()) {
          killedOrEnded("restore", ladder(home, "tune", "restore"));
        }
      }
      try (LadderProcess restore = ladder(home, "tune", "restore")) {
        assertThat(restore.status()).as("%s%n%s", killed, restore.err()).isZero();
      }
      assertThat(values()).as(killed.toString()).isEqualTo(before);
      assertThat(journals()).as(killed.toString()).isEmpty();
    }
    System.err.println("RandomTuneKillsIT: " + killed.size() + " SIGKILLs, seed " + SEED + "; settings were found changed " + inForce
        + " times, and restore put them back each time");
  }

  /** Whether it came to its end by itself. */
  private boolean killedOrEnded(String what, LadderProcess ladder) throws Exception {
    try (ladder) {
      long startNs = System.nanoTime();
      // The first of its kind shows how long one takes.
      long afterMs = lastMs.containsKey(what) ? random.nextLong(lastMs.get(what)) : 60_000;
      ProcessHandle process = ProcessHandle.of(ladder.pid()).orElse(null);
      boolean ended = process == null || process.onExit().completeOnTimeout(null, afterMs, TimeUnit.MILLISECONDS).join() != null;
      if (!ended) {
        ladder.signal("KILL");
      }
      int status = ladder.status();
      if (status == 137) {
        killed.add("%s after %d ms".formatted(what, afterMs));
        System.err.println("RandomTuneKillsIT: SIGKILL " + killed.size() + " of " + KILLS + ", seed " + SEED + ": " + killed.getLast());
        return false;
      }
      assertThat(status).as(ladder.err()).isZero();
      lastMs.put(what, (System.nanoTime() - startNs) / 1_000_000);
      return true;
    }
  }
}
