package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server says, where, and how it ends when it cannot run. */
class CommandLineIT {
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#defaults")
  void saysOneLineThatHoldsEveryOption(Variant variant) throws Exception {
    CommandRun run = CommandRun.start(variant, variant.argv());
    ReadyLine ready = ReadyLine.parse(run.awaitLine());
    assertThat(ready.server()).as("%s: its ready line and its page call it by the name of its folder", variant).isEqualTo(variant.name());
    assertThat(ready.pid()).as("%s: pid", ready).isEqualTo(run.pid());
    assertThat(ready.host()).isEqualTo("127.0.0.1");
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("backlog", "4096");
    expected.put("drain", "5s");
    variant.manifest().options().forEach(
        (name, option) -> {
          if (option.flag() == null) {
            expected.put(name, option.fallback());
          }
        });
    expected.forEach(
        (name, value) ->
            assertThat(String.valueOf(ready.config().get(name.replace('-', '_'))))
                .as("%s: %s in the config of its ready line, %s", variant, name, ready.config())
                // 0 stands for the server's choice, which may be shown instead.
                .matches(value.equals("0") ? "\\d+" : Pattern.quote(value)));
    run.closeStdin();
    CommandRun.Outcome outcome = run.end();
    assertThat(outcome.stdout().lines()).as("%s", outcome).hasSize(1);
    assertThat(outcome.status()).as("%s", outcome).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#defaults")
  void refusesBadOptions(Variant variant) throws Exception {
    List<List<String>> bad = new ArrayList<>();
    bad.add(List.of("--no-such-option"));
    bad.add(List.of("--port", "70000"));
    bad.add(List.of("--backlog", "0"));
    bad.add(List.of("--drain", "5"));
    variant.manifest().options().forEach((name, option) -> beyond(name, option, bad));
    List<CommandRun> runs = new ArrayList<>();
    for (List<String> arguments : bad) {
      runs.add(CommandRun.start(variant, variant.argvWith(arguments)));
    }
    for (int i = 0; i < runs.size(); i++) {
      CommandRun.Outcome outcome = runs.get(i).end();
      assertThat(outcome.status()).as("%s", outcome).isEqualTo(2);
      assertThat(outcome.stdout()).as("%s", outcome).isEmpty();
      assertThat(outcome.stderr()).as("%s", outcome).contains(bad.get(i).getLast().replaceFirst("^-+", ""));
    }
  }

  /** One value that the manifest does not allow: the server has to know its own limits. */
  private static void beyond(String name, ServerManifest.Option option, List<List<String>> bad) {
    if (!option.toldToServer()) {
      return;
    }
    if (!option.values().isEmpty()) {
      bad.add(List.of("--" + name, "nonsense"));
    } else if (option.max() != null) {
      bad.add(List.of("--" + name, Long.toString(option.max() + 1)));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#defaults")
  void saysWhichPortIsInUse(Variant variant) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      List<CommandRun> runs = List.of(
          CommandRun.start(variant, variant.argvWith(List.of("--port", port))),
          CommandRun.start(variant, variant.argvWith(List.of("--metrics-port", port))));
      for (CommandRun run : runs) {
        CommandRun.Outcome outcome = run.end();
        assertThat(outcome.status()).as("%s", outcome).isEqualTo(3);
        assertThat(outcome.stdout()).as("%s", outcome).isEmpty();
        assertThat(outcome.stderr()).as("%s", outcome).contains(port).containsPattern("(?i)in use|EADDRINUSE");
        assertThat(outcome.stderr().lines()).as("%s: a message, no stack trace", outcome).hasSizeLessThan(5);
      }
    }
  }

  /** Else it would serve where nobody finds it, and a script would wait for the line. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#managed")
  void endsWhereItsReadyLineCannotBeWritten(Variant variant) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" >/dev/full", "sh"));
    command.addAll(variant.argv());
    CommandRun.Outcome outcome = CommandRun.start(variant, command).end();
    assertThat(outcome.status()).as("%s", outcome).isEqualTo(3);
    assertThat(outcome.stderr()).as("%s", outcome).contains("could not write the ready line to stdout");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("echoladder.servers.contract.Variant#defaults")
  void explainsItself(Variant variant) throws IOException, InterruptedException {
    CommandRun.Outcome outcome = CommandRun.start(variant, variant.argvWith(List.of("--help"))).end();
    assertThat(outcome.status()).as("%s", outcome).isZero();
    assertThat(outcome.stdout() + outcome.stderr())
        .as("%s", outcome)
        .containsIgnoringCase("example")
        .contains(told(variant));
  }

  /** The options that every server is told, and its own, where it has any. */
  private static List<String> told(Variant variant) {
    List<String> told = new ArrayList<>(List.of("metrics-port", "drain", "backlog", "stop-on-stdin-eof"));
    variant.manifest().options().forEach(
        (name, option) -> {
          if (option.toldToServer()) {
            told.add(name);
          }
        });
    return told;
  }
}
