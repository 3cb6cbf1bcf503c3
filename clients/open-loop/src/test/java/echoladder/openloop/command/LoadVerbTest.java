package echoladder.openloop.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.client.Target;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.linux.process.ProcessMemory;
import echoladder.openloop.ClientProcess;
import echoladder.openloop.EchoProcess;
import echoladder.openloop.LoadMain;
import echoladder.openloop.Measured;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.Shape;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code load} as it is typed: exit status, stdout, stderr. */
@Timeout(120)
class LoadVerbTest {
  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String out, String err) {
    JsonNode json() {
      return JsonMapper.shared().readTree(out);
    }
  }

  private Ended load(String... arguments) throws IOException, InterruptedException {
    return load(ClientProcess.javaCommand(), Map.of(), arguments);
  }

  private Ended load(List<String> java, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Process process = start(java, environment, arguments);
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return ended(process);
  }

  private Process start(List<String> java, Map<String, String> environment, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(java);
    command.add(LoadMain.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Ended ended(Process process) throws IOException {
    return new Ended(
        process.exitValue(),
        Files.readString(folder.resolve("out")),
        Files.readString(folder.resolve("err")));
  }

  private static String[] options(TestServer server, String... more) {
    return options(server.target(), more);
  }

  private static String[] options(Target target, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--target", target.toString(), "--connections", "50", "--rate", "500", "--duration", "1s",
                "--warm-up-min", "500ms"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void printsTheFieldsOfTheContractAndNothingElseOnStdout() throws Exception {
    try (EchoProcess server = EchoProcess.start()) {
      // In Turkish an I has no dot in lower case and a number has a comma: neither may reach the names and numbers.
      Ended ended = load(turkish(), Map.of(), options(server.target(), "--json", "--server-pid", Long.toString(server.pid())));
      JsonNode json = ended.json();
      assertThat(ended.status).as(ended.err).isEqualTo("valid".equals(json.get("verdict").stringValue()) ? 0 : 1);
      assertThat(json.get("connections_requested").intValue()).isEqualTo(50);
      assertThat(json.get("connections_established").intValue()).isEqualTo(50);
      assertThat(json.get("offered_per_s").doubleValue()).isBetween(495.0, 505.0);
      assertThat(json.get("achieved_per_s").doubleValue()).isPositive();
      assertThat(json.get("unanswered").longValue()).isZero();
      assertThat(json.get("response_time_p50_ns").longValue()).isPositive();
      assertThat(json.get("response_time_p99_ns").isNull()).as("5 samples lie beyond").isTrue();
      assertThat(json.get("client_cpu_us_per_echo").doubleValue()).isPositive();
      assertThat(json.get("server_cpu_us_per_echo").doubleValue()).as("of the shell's child, which serves").isPositive();
      assertThat(json.get("server_rss_bytes").longValue())
          .isGreaterThan(Objects.requireNonNull(ProcessMemory.rssBytes(server.child())) / 2);
      for (JsonNode reason : json.get("verdict_reasons")) {
        assertThat(ended.err).contains(reason.get("reason").stringValue());
      }
    }
  }

  @Test
  void keepsToItsProcessorsAndPollsWhereItIsTold() throws Exception {
    CpuList allowed = Objects.requireNonNull(CpuAffinity.of(ProcessHandle.current().pid()));
    String last = Integer.toString(allowed.stream().max().orElseThrow());
    try (EchoProcess server = EchoProcess.start()) {
      Ended ended =
          load(options(server.target(), "--json", "--cpus", last, "--spin", "0.5ms", "--server-pid", Long.toString(server.child())));
      JsonNode json = ended.json();
      assertThat(json.get("client_cpus").stringValue()).as(ended.err).isEqualTo(last);
      assertThat(json.get("client_helper_cpus").stringValue()).as("the server's, as a loop that polls leaves none").isEqualTo(allowed.toString());
      assertThat(json.get("server_cpus").stringValue()).isEqualTo(allowed.toString());
      assertThat(json.get("spin_ns").longValue()).isEqualTo(500_000);
      assertThat(json.get("client_cpu_us_per_echo").isNull()).as("polling is no cost of an echo").isTrue();
      assertThat(json.get("client_cpu_seconds").doubleValue()).isPositive();
      assertThat(json.get("answered").longValue()).isEqualTo(json.get("scheduled").longValue()).isPositive();
    }
  }

  @Test
  void aProcessThatDoesNotServeTheTargetIsRefused() throws Exception {
    Process stranger = new ProcessBuilder("sleep", "60").start();
    try (EchoProcess server = EchoProcess.start()) {
      Ended ended = load(options(server.target(), "--server-pid", Long.toString(stranger.pid())));
      assertThat(ended.status).isEqualTo(2);
      assertThat(ended.err)
          .contains("--server-pid: process %d (sleep) does not listen at %s; process %d (java) does; give %d or leave --server-pid out"
              .formatted(stranger.pid(), server.target(), server.child(), server.child()));
      Ended parent = load(options(server.target(), "--server-pid", Long.toString(ProcessHandle.current().pid())));
      assertThat(parent.status).isEqualTo(2);
      assertThat(parent.err).contains("has started this process, so the CPU of the load's client would count as the server's; give " + server.child());
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void processorsThatAreNotThereAreRefused() throws Exception {
    Ended ended =
        load("--target", "127.0.0.1:9", "--connections", "1", "--rate", "1", "--duration", "1s", "--cpus", "8000");
    assertThat(ended.status).isEqualTo(2);
    assertThat(ended.err).contains("--cpus 8000: not all of them are there; this process may run on ");
  }

  @Test
  void saysWhereItStandsWhileItLoads() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce());
        HttpClient http = HttpClient.newHttpClient()) {
      Process process =
          start(
              ClientProcess.javaCommand(), Map.of(),
              "--target", server.target().toString(), "--connections", "50", "--rate", "500", "--duration", "60s",
              "--metrics-port", "0");
      try {
        String said = "load: metrics at ";
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> Files.readString(folder.resolve("err")).contains(said));
        String err = Files.readString(folder.resolve("err"));
        URI page = URI.create(err.substring(err.indexOf(said) + said.length()).lines().findFirst().orElseThrow());
        HttpRequest get = HttpRequest.newBuilder(page).build();
        String labels = "{connections=\"50\",server=\"" + server.target() + "\"}";
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(http.send(get, HttpResponse.BodyHandlers.ofString()).body())
                        .contains("echo_client_connections_established" + labels + " 50.0")
                        .containsPattern("echo_client_messages_answered_total\\Q" + labels + "\\E [1-9]")
                        .contains("phase=\"steady\""));
        Ended inUse = loadAside("--metrics-port", Integer.toString(page.getPort()));
        assertThat(inUse.status).isEqualTo(3);
        assertThat(inUse.err).contains("cannot serve metrics at 127.0.0.1:" + page.getPort());
      } finally {
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  /** Beside a load that runs; refused before anything is started. */
  private Ended loadAside(String... arguments) throws IOException, InterruptedException {
    Path own = Files.createDirectory(folder.resolve("aside"));
    List<String> command = new ArrayList<>(ClientProcess.javaCommand());
    command.addAll(
        List.of(LoadMain.class.getName(), "--target", "127.0.0.1:9", "--connections", "1", "--rate", "1", "--duration", "1s"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(own.resolve("out").toFile())
            .redirectError(own.resolve("err").toFile())
            .start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(own.resolve("out")), Files.readString(own.resolve("err")));
  }

  private static List<String> turkish() {
    List<String> java = new ArrayList<>(ClientProcess.javaCommand());
    java.addAll(1, List.of("-Duser.language=tr", "-Duser.country=TR"));
    return java;
  }

  @Test
  void aCorruptByteIsSaidAndEndsWithOne() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Shape.Corrupt(() -> 100, 7))) {
      Ended ended = load(options(server, "--json"));
      assertThat(ended.status).isEqualTo(1);
      assertThat(ended.json().get("echo_mismatches").longValue()).isEqualTo(1);
      assertThat(ended.json().get("verdict").stringValue()).isEqualTo("invalid");
      assertThat(ended.err).contains("echo-mismatch");
    }
  }

  @Test
  void interruptedItSaysWhatItHasAndEndsWithOne() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Process process =
          start(
              ClientProcess.javaCommand(),
              Map.of(),
              "--target", server.target().toString(), "--connections", "50", "--rate", "500", "--duration", "90s",
              "--warm-up-min", "100ms", "--warm-up-max", "100ms", "--json");
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> Files.readString(folder.resolve("err")).contains("steady"));
      process.destroy(); // SIGTERM, as Ctrl-C is SIGINT: both are heard the same way.
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      Ended ended = ended(process);
      assertThat(ended.status).isEqualTo(1);
      assertThat(ended.json().get("connections_established").intValue()).isEqualTo(50);
      // Unanswered messages, a drain that was left out and the like follow from that.
      assertThat(ended.json().get("verdict_reasons")).singleElement().satisfies(
          reason -> assertThat(reason.get("reason").stringValue()).isEqualTo("interrupted"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "nothing at all, needed",
    "--connections 10 --rate 10, --target",
    "--target 127.0.0.1:9 --connections 0, connections",
    "--target 127.0.0.1:9 --rate 0, rate",
    "--target 127.0.0.1:9 --connections 10 --rate 0.01 --duration 3s, 0.03 messages",
    "--target 127.0.0.1 --connections 10 --rate 10 --duration 1s, HOST:PORT",
    "--target 127.0.0.1:70000 --connections 10 --rate 10 --duration 1s, 65535",
    "--target 127.0.0.1:9 --connections -1 --rate 10 --duration 1s, connections",
    "--target 127.0.0.1:9 --connections 6000000 --rate 10 --duration 1s, 5000000",
    "--target 127.0.0.1:9 --connections 10 --rate -5 --duration 1s, rate",
    "--target 127.0.0.1:9 --connections 10 --rate NaN --duration 1s, rate",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 20, unit",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 1s --schedule uniform, poisson",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 1s --in-flight 65, 64",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 1s --active-share 0, active-share",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 1s --active-share 1.5, active-share",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 1s --message-bytes 0, message-bytes",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 1s --server-pid 0, --server-pid",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --protocol http --publish all --path /x, --subscribe-path",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --publish all --publish-path /x, --protocol http or websocket",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --protocol websocket --publish all --path /x --publish-path /y, leave it out",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --protocol http --publish all --publish-path ws:/y, goes with protocol websocket",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --protocol websocket --publish all --subscribe-path ws:/y, subscribe-path",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --slow-readers 0.1 --slow-readers-rate 0.5B/s, less than 1B/s",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --slow-readers 0.1 --slow-readers-rate 17592186044416.5MiB/s, to 1073741824",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 9s --slow-readers 0.1 --tls, not with tls",
    "--target 127.0.0.1:9 --connections 10 --rate 10 --duration 1s --frobnicate, --frobnicate",
  })
  void badUsageEndsWithTwoAndNamesTheCulprit(String arguments, String named) {
    CommandLine line = new CommandLine(new LoadVerb());
    StringWriter err = new StringWriter();
    line.setErr(new PrintWriter(err, true));
    int status = line.execute(arguments.startsWith("nothing") ? new String[0] : arguments.split(" ", -1));
    assertThat(status).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).contains(named);
  }

  @Test
  void whatCannotRunEndsWithThreeAndSaysWhy() throws Exception {
    Ended refused =
        load("--target", "192.0.2.1:9", "--connections", "1", "--rate", "1", "--duration", "1s");
    assertThat(refused.status).isEqualTo(3);
    assertThat(refused.out).isEmpty();
    assertThat(refused.err).contains("192.0.2.1", "--allow-target");

    Ended tooMany =
        load("--target", "10.255.255.1:9", "--connections", "200000", "--rate", "1", "--duration", "1s");
    assertThat(tooMany.status).isEqualTo(3);
    assertThat(tooMany.err).contains("200,000", "ip_local_port_range", "--source-address");
  }

  @Test
  void helpHasAnExample() throws Exception {
    Ended help = load("--help");
    assertThat(help.status).isZero();
    assertThat(help.out).contains("ladder load --target", "Exit status", "--histograms");
  }
}
