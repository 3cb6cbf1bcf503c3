package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A study that comes from a record is as good as one that comes from a file, and no worse is accepted. */
class StudyAgainTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(CHECKOUT);

  static List<String> studies() {
    return StudyFile.known(CHECKOUT).stream().filter(name -> !name.equals("claims")).toList();
  }

  /** Else a record, and the command of a server in it, would differ from one JVM to the next. */
  @Test
  void optionsStayInTheOrderThatTheyWereWrittenIn() {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 9; i >= 0; i--) {
      options.put("option-" + i, "1");
    }
    assertThat(Study.Entry.plain("a", "a", "open-loop", options).options().keySet()).containsExactlyElementsOf(options.keySet());
    assertThat(ServerSettings.DEFAULT.with(options).options().keySet()).containsExactlyElementsOf(options.keySet());
  }

  @ParameterizedTest
  @MethodSource("studies")
  void everyStudyThatIsReadIsAcceptedAgain(String name) {
    Study study = new StudyReader(CHECKOUT, SERVERS).read(name);
    assertThatCode(() -> StudyAgain.check(study, SERVERS)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'total_per_s': 5000.0|'total_per_s': 5e12|load.rate.total",
        "'message_bytes': 64|'message_bytes': 2000000000|load.message",
        "'steady_ns': 7000000000|'steady_ns': 7000000000000000|phases.steady",
        "'drain_ns': 2000000000|'drain_ns': 200000000000000|phases.drain",
        "'in_flight': 1,|'in_flight': 1000000,|load.in_flight",
        "'server': 'floor'|'server': 'nobody'|there is no server 'nobody'",
        "'gc': 'Serial'|'gc': 'Serial -XX:OnError=x'|options.gc",
        "'gc': 'Serial'|'agent': '/tmp/x.so'|options.agent",
        "1000,|4000000,|rungs",
      })
  void whatNoFileMaySayNoRecordMay(String of, String instead, String said) throws IOException {
    String json = Files.readString(Path.of("src/test/resources/golden/run.json"));
    String changed = json.replaceFirst(Pattern.quote(of.replace('\'', '"')), instead.replace('\'', '"'));
    assertThat(changed).isNotEqualTo(json);
    Study study = RunFolder.parse(changed).study();
    assertThatThrownBy(() -> StudyAgain.check(study, SERVERS)).isInstanceOf(Refusal.class).hasMessageContaining(said);
  }

  @Test
  void settingsAreCheckedToo() throws IOException {
    String json = Files.readString(Path.of("src/test/resources/golden/run.json"));
    for (String[] settings :
        new String[][] {
          {"{\"../../etc/x\": \"1\"}", "[]", "sysctl"},
          {"{}", "[\"8.8.8.8\"]", "target_addresses"},
        }) {
      String set =
          "\"options\": {}, \"settings\": {\"sysctl\": %s, \"server\": {\"nofile\": null, \"without\": [], \"memory_bytes\": null, \"tasks\": null}, \"client\": {\"source_addresses\": [], \"target_addresses\": %s, \"plan_ports\": true}}"
              .formatted(settings[0], settings[1]);
      int at = json.indexOf("\"options\": {}");
      Study study =
          RunFolder.parse(json.substring(0, at) + set + json.substring(at + "\"options\": {}".length())).study();
      assertThatThrownBy(() -> StudyAgain.check(study, SERVERS)).isInstanceOf(Refusal.class).hasMessageContaining(settings[2]);
    }
  }
}
