package echoladder.harness.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Facts;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.explain.Explanation.Match;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainerTest {
  private static final List<Topic> TOPICS = Topics.of(Checkout.find());
  private static final List<String> PIECES =
      List.of(
          " ", "\n", "\t", "0", "99", "1,024", "1.5k", "0x1f", "[", "]", "(", ")", ":", "::1", "/", "127.0.0.1:80", "too many", "open files", "ERRNO 24", "é", "\u0000",
          "%", "\\", "stops at", "350 s", "999999999999999999", "\ud83d", "'", "#", "-", "k", "h", "EMFILE");

  private static final HostFacts HOST = new Facts().facts();

  private static Explanation explain(String text, HostFacts host) {
    return new Explainer(TOPICS, new HostNumbers(host, 4, Map.of())).explain(text);
  }

  private static Explanation explain(String text) {
    return explain(text, HOST);
  }

  static Stream<Arguments> texts() {
    return TOPICS.stream().flatMap(topic -> topic.allTexts().stream().map(text -> Arguments.of(topic.id(), text)));
  }

  /** As it is, in capitals without punctuation, and in a line of a log. */
  @ParameterizedTest
  @MethodSource("texts")
  void everyTextLeadsToItsTopic(String topic, String text) {
    for (String pasted :
        List.of(
            text, text.toUpperCase(Locale.ROOT).replaceAll("[!.;,'\"]", " "),
            "Nov 28 03:00:07 web-7 app[31337]: 2026-11-28T03:00:07.123Z " + text.replace("10.0.0.1:80", "192.168.7.9:4433").replace("4242", "977"))) {
      Explanation found = explain(pasted);
      assertThat(found.found()).as(pasted).isTrue();
      assertThat(found.matches()).as(pasted).extracting(Match::topic).first().isEqualTo(topic);
    }
  }

  static Stream<Arguments> keywords() {
    return TOPICS.stream().flatMap(topic -> topic.words().stream().map(word -> Arguments.of(topic.id(), word)));
  }

  @ParameterizedTest
  @MethodSource("keywords")
  void everyWordLeadsToItsTopic(String topic, String word) {
    assertThat(explain(word).matches()).as(word).extracting(Match::topic).contains(topic);
    assertThat(explain(word).found()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"s\" is null", "bash: syntax error near unexpected token `('",
        "git@github.com: Permission denied (publickey).", "ModuleNotFoundError: No module named 'requests'", "Segmentation fault (core dumped)",
        "docker: command not found", "x509: certificate has expired or is not yet valid", "password authentication failed for user \"app\"",
        "CONFLICT (content): Merge conflict in README.md", "IndexError: list index out of range", "404 Not Found", "at line 1024 of main.c",
        "ls: cannot access 'x': No such file or directory", "Disk quota exceeded", "hello world", "panic: runtime error: index out of range [5] with length 3",
        "TypeError: undefined is not a function", "error: failed to push some refs", "Unable to locate package foo"
      })
  void saysSoWhereNothingFits(String text) {
    Explanation found = explain(text);
    assertThat(found.found()).as("%s", found.matches()).isFalse();
    assertThat(ExplanationText.lines(found).getFirst()).isEqualTo("nothing known fits this text");
    assertThat(ExplanationText.lines(found)).anyMatch(line -> line.contains("./ladder doctor --connections N"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Too mny open fils|descriptors of a process", "too many open file|descriptors of a process", "cannot asign requested adress|no port left",
        "unable to create new native thread|threads", "nf_conntrack table is full|connection tracking", "connexion reset by peer|connection reset"
      })
  void aMisspelledTextIsKnownToo(String text, String topic) {
    assertThat(explain(text).matches()).first().extracting(Match::topic).isEqualTo(topic);
    assertThat(explain(text).found()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "it stops at 28,232|no port left|28,232 = 60,999 - 32,768 + 1: a port for each connection to one destination (Linux's default; so is this host)",
        "28k connections|no port left|28,232 = 60,999 - 32,768 + 1: a port for each connection to one destination (Linux's default; so is this host)",
        "14116|no port left|14,116 = (60,999 - 32,768 + 1) / 2: half of the ports, the even or the odd ones; from there on each connect searches long (Linux's default; so is this host)",
        "64512|no port left|64,512 = 65,535 - 1,024 + 1: a port for each connection to one destination (a range that many hosts set)",
        "1024|descriptors of a process|1,024: a descriptor for each connection (the soft limit of most shells, units and newer containers)",
        "65,536|descriptors of a process|65,536: a descriptor for each connection (a limit that many units and images set)",
        "524288|descriptors of a process|524,288: a descriptor for each connection (systemd's hard limit since version 240)",
        "1,048,576|descriptors of a process|1,048,576: a descriptor for each connection (containers of older engines, and fs.nr_open)",
        "1,048,576|descriptor limit cannot be raised|1,048,576: the most descriptors that one process may have (Linux's default; so is this host)",
        "32765 threads|memory mappings|32,765 = 65,530 / 2: two mappings for each thread of a JVM (Linux's default; so is this host)",
        "stops at 32,768 threads|numbers for threads|32,768: numbers for threads (the default of small machines; so is this host)",
        "4097|accept queue|4,097 = 4,096 + 1: connections that wait where nobody accepts (Linux's default since 5.4; so is this host)",
        "129|accept queue|129 = 128 + 1: connections that wait where nobody accepts (the default before Linux 5.4)",
        "4096|descriptors of a process|4,096: a descriptor for each connection (Linux's own hard limit)",
        "262144|connection tracking|262,144: an entry for each tracked connection (Linux's default with more than 4 GB of memory)",
        "131072|connection tracking|131,072 = max(32,768 * 4, 131,072): entries that kube-proxy sets, 32,768 for each processor and no fewer than 131,072 (this host)",
        "55000|cloud network|55,000: connections of one address of a NAT gateway to one destination (AWS NAT gateway)",
        "4915|systemd unit|4,915 = min(32,768, 192,730) * 15 / 100: TasksMax of a unit, 15 % of the lesser of kernel.pid_max and kernel.threads-max (this host)",
        "idle for 350 s|idle connections die|350 s: an idle connection is forgotten (AWS Network Load Balancer's and NAT gateway's default, and connection tracking of newer EC2 instances)",
        "dies after 4 minutes|idle connections die|240 s: an idle connection is forgotten (Azure Load Balancer's default)",
      })
  void aNumberIsExplainedByItsArithmetic(String asked, String topic, String sentence) {
    Explanation found = explain(asked);
    assertThat(found.found()).isTrue();
    assertThat(found.matches())
        .as("%s", found.matches())
        .anySatisfy(
            match -> {
              assertThat(match.topic()).isEqualTo(topic);
              assertThat(match.walls()).extracting(Wall::sentence).contains(sentence);
            });
  }

  /** A range that no list has: its arithmetic is this host's. */
  @Test
  void thisHostsValuesCount() {
    HostFacts host = new Facts().sysctl("net.ipv4.ip_local_port_range", "60000 65535").sysctl("vm.max_map_count", "100000").nofile(7_000).facts();
    assertThat(explain("only 2770 connections", host).matches().getFirst().walls())
        .extracting(Wall::sentence)
        .containsExactly(
            "2,768 = (65,535 - 60,000 + 1) / 2: half of the ports, the even or the odd ones; from there on each connect searches long (this host)");
    assertThat(explain("50000", host).matches()).extracting(Match::topic).contains("memory mappings");
    assertThat(explain("6,981", host).matches()).first().extracting(Match::topic).isEqualTo("descriptors of a process");
    assertThat(explain("EADDRNOTAVAIL", host).matches().getFirst().here()).containsEntry("net.ipv4.ip_local_port_range", "60000 65535");
  }

  /** Both the text and the number speak. */
  @Test
  void aNumberBesideATextIsExplained() {
    Match first = explain("after setting up ~28k connections: connect: cannot assign requested address").matches().getFirst();
    assertThat(first.topic()).isEqualTo("no port left");
    assertThat(first.text()).isNotNull();
    assertThat(first.walls()).hasSize(1);
  }

  /** Many lines: the one that counts is found, and what varies in the others is no number of connections. */
  @Test
  void theLineThatCountsIsFoundInALog() {
    String log = "[    1.024000] pci 0000:00:1f.0: 28232 bytes\n".repeat(60) + "[ 7777.1] cgroup: fork rejected by pids controller in /system.slice/chat.service\n";
    List<Match> matches = explain(log).matches();
    assertThat(matches).first().extracting(Match::topic).isEqualTo("threads");
    assertThat(matches).allSatisfy(match -> assertThat(match.walls()).isEmpty());
  }

  /** Whatever is pasted, there is an answer; the seed is in the message. */
  @Test
  void anythingMayBePasted() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(200); i > 0; i--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      assertThatCode(() -> ExplanationText.lines(explain(text.toString()))).as("seed %d: %s", seed, text).doesNotThrowAnyException();
    }
    assertThatCode(() -> explain("9".repeat(100_000) + "(".repeat(100_000) + "1,024".repeat(1_000))).doesNotThrowAnyException();
  }
}
