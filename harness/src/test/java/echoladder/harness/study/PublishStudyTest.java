package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import echoladder.client.Publish;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Studies whose servers push: what becomes of their rates and options, and what is refused. */
class PublishStudyTest {
  private static final String GOOD =
      """
      name: a
      question: What does this study ask, exactly?
      servers: [pusher]
      rungs: [100, 200]
      load: {rate: {per_connection: 4/s}, publish: all}
      phases: {steady: 10s}
      """;

  @TempDir private Path dir;
  private TestCheckout test = new TestCheckout(Path.of("target/never-used"));

  @BeforeEach
  void checkout() {
    test = new TestCheckout(dir);
    pusher("pusher", "tcp");
    pusher("websocket-pusher", "websocket");
    pusher("http-pusher", "http");
    test.write(
        "servers/only-pusher/server.yaml",
        """
        name: only-pusher
        title: A server that only pushes
        protocol: http
        role: contender
        runtime: native
        command: ["{dir}/server"]
        options:
          traffic: {default: push, values: [push], why: "it does nothing else"}
        """);
  }

  private void pusher(String name, String protocol) {
    test.write(
        "servers/" + name + "/server.yaml",
        """
        name: %s
        title: A server that can push
        protocol: %s
        role: contender
        runtime: native
        command: ["{dir}/server"]
        options:
          traffic: {default: echo, values: [echo, push], why: "whether it echoes or pushes"}
          level: {default: 3, min: 0, max: 9, why: "a number"}
        """
            .formatted(name, protocol));
  }

  private Study read(String yaml, String... settings) {
    test.study("a", yaml);
    Selection selection =
        new Selection(null, List.of(), List.of(settings).stream().map(YamlSetting::parse).toList());
    return new StudyReader(test.checkout(), test.servers()).read("a", selection);
  }

  @Test
  void aServerIsToldToPushAndTheRateIsInDeliveries() {
    Study study = read(GOOD);
    Study.Entry entry = study.servers().getFirst();
    assertThat(entry.options()).isEqualTo(Map.of("traffic", "push"));
    StudyLoad load = study.load(entry);
    assertThat(load.published()).isEqualTo(Publish.ALL);
    assertThat(load.totalPerS(200)).isEqualTo(800);
    assertThat(load.messagesPerS(200, 800)).isEqualTo(4);
    // Twenty subscribe, in two topics.
    StudyLoad topics = read(GOOD.replace("publish: all", "publish: topics-of-10, active_share: 0.1")).load();
    assertThat(topics.totalPerS(200)).isEqualTo(80);
    assertThat(topics.messagesPerS(200, 80)).isEqualTo(8);
  }

  @Test
  void aLabIsAskedForFewerMessagesAsItsTimesMeanNothing() {
    test.study("a", GOOD + "in_lab: {load.rate.per_connection: 0.5/s, load.schedule: jittered}\n");
    assertThatThrownBy(() -> new StudyReader(test.checkout(), test.servers(), true).read("a"))
        .hasMessageContaining("100 connections come to 5 messages published in a steady state of 10.0 s; with 'jittered' one of them may be missing by chance");
    test.study("a", GOOD + "in_lab: {load.rate.per_connection: 0.5/s}\n");
    StudyLoad load = new StudyReader(test.checkout(), test.servers(), true).read("a").load();
    assertThat(load.messagesPerS(200, load.totalPerS(200))).isEqualTo(0.5);
    test.study("a", GOOD + "in_lab: {load.rate.per_connection: 0.05/s}\n");
    assertThatThrownBy(() -> new StudyReader(test.checkout(), test.servers(), true).read("a"))
        .hasMessageContaining("messages published in a steady state of")
        .hasMessageContaining("2 or more are needed: raise the rate");
  }

  @Test
  void noRateCountsThoseWhoDoNotRead() {
    StudyLoad load = read(GOOD.replace("publish: all", "publish: all, slow_readers: 0.1")).load();
    assertThat(load.totalPerS(200)).isEqualTo(180 * 4);
    assertThat(load.messagesPerS(200, 180 * 4)).isEqualTo(4);
  }

  @Test
  void aSettingAndAnAxisMayAskForItToo() {
    assertThat(read(GOOD.replace(", publish: all", ""), "load.publish=topics-of-50").servers().getFirst().options())
        .containsEntry("traffic", "push");
    Study crossed =
        read(GOOD.replace(", publish: all", "").replace("rungs:", "axes: {load: {publish: [all, topics-of-50]}}\nrungs:"));
    assertThat(crossed.servers()).extracting(Study.Entry::label).containsExactly("pusher-all", "pusher-topics-of-50");
    assertThat(crossed.rateUnit()).isEqualTo("deliveries/s");
    assertThat(crossed.servers()).allSatisfy(entry -> assertThat(entry.options()).containsEntry("traffic", "push"));
  }

  @Test
  void aStudyThatEchoesLeavesItsServersAsTheyAre() {
    assertThat(read(GOOD.replace(", publish: all", "")).servers().getFirst().options()).isEmpty();
  }

  /** What a run has recorded is read as it was written. */
  @Test
  void aRecordedStudyPassesTheSameChecks() {
    StudyAgain.check(read(GOOD), test.servers());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "publish: all|publish: some|load.publish: 'some' is not allowed; the server pushes in place of echoing",
        "publish: all|publish: topics-of-0|load.publish: 'topics-of-0' is not allowed",
        "servers: [pusher]|servers: [fake]|'fake' cannot push (load.publish): it has no option traffic with the value push",
        "servers: [pusher]|servers: [{name: pusher, options: {traffic: echo}}]|'pusher' is told not to push, by its option traffic",
        "servers: [pusher]|servers: [{name: pusher, client: tcpkali}]|the client 'tcpkali' subscribes to nothing; load.publish needs open-loop",
        "publish: all|publish: all, slow_readers: 0.6|load.slow_readers: 0.6 is not allowed",
        "publish: all|publish: all, slow_readers: 0.1, active_share: 0.01|load.slow_readers: 100 connections come to one that subscribes",
        "publish: all|publish: all, churn: 1/s|load.publish: churn and storm are not allowed with publish",
        "publish: all|publish: all, storm: rush|load.publish: churn and storm are not allowed with publish",
        "publish: all|publish: all, schedule: poisson|load.publish: the schedule 'poisson' is not allowed with publish",
        "publish: all|publish: all, schedule: burst|the schedule 'burst' is not allowed with publish",
        "publish: all|publish: all, in_flight: 2|load.publish: in_flight is not allowed with publish",
        "publish: all|publish: all, message: 39B|load.publish: a message of 39 B is not allowed with publish: 40B to 1MiB are",
        "publish: all|publish: all, message: 2MiB|is not allowed with publish: 40B to 1MiB are",
        "steady: 10s|steady: 9s|load.publish: 100 connections come to 36 messages published in a steady state of 9.00 s; 40 or more are needed",
        "load: {rate: {per_connection: 4/s}, publish: all}|load: {rate: {total: 400/s}, publish: all}|200 connections come to 20 messages published",
      })
  void whatDoesNotGoWithItIsRefusedWithItsReason(String part, String instead, String message) {
    assertThat(GOOD).contains(part);
    String yaml = GOOD.replace(part, instead);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(yaml));
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).contains(message);
  }

  /** Where bodies are text, a message needs more room for what it carries. */
  @Test
  void serversPushOverHttpAndWebSocketToo() {
    Study study = read(GOOD.replace("[pusher]", "[http-pusher, only-pusher, websocket-pusher]"));
    assertThat(study.servers()).allSatisfy(entry -> assertThat(entry.options()).containsEntry("traffic", "push"));
    String small = GOOD.replace("[pusher]", "[http-pusher]").replace("publish: all", "publish: all, message: 54B");
    assertThat(catchThrowableOfType(Refusal.class, () -> read(small)).getMessage())
        .contains("a message of 54 B is not allowed with publish over HTTP: 55B to 1MiB are");
    String echo = GOOD.replace("[pusher]", "[only-pusher]").replace(", publish: all", "");
    assertThat(catchThrowableOfType(Refusal.class, () -> read(echo)).getMessage())
        .contains("'only-pusher' only pushes, and echoes nothing: load.publish says what is published");
  }

  @Test
  void aServerThatPushesIsLoadedByWhatPublishesAlone() {
    String echo = GOOD.replace(", publish: all", "").replace("[pusher]", "[{name: pusher, options: {traffic: push}}]");
    assertThat(catchThrowableOfType(Refusal.class, () -> read(echo)).getMessage()).contains("a server that pushes echoes nothing");
  }

  /** Else it would be found out when the rung of that value comes. */
  @Test
  void whatAnAxisAsksIsAskedOfEachServer() {
    String crossed = GOOD.replace(", publish: all", "").replace("rungs:", "axes: {load: {publish: [all, topics-of-50]}}\nrungs:");
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(crossed.replace("[pusher]", "[fake, pusher]")));
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).contains("axes: 'fake' cannot push (load.publish)").doesNotContain("'pusher");
    // One that echoes nothing is asked for nothing else there.
    assertThat(read(crossed.replace("[pusher]", "[only-pusher]")).servers()).hasSize(2);
  }

  @Test
  void aLinkIsNotCutUnderIt() {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> read(GOOD, "network.delay=1ms", "network.cut=idle"));
    assertThat(refusal).isNotNull();
    assertThat(refusal.getMessage()).contains("network: cut is not allowed with load.publish");
  }
}
