package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** A command that measures what is missing is one that the ladder takes, for every server that echoes. */
class MeasureItTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(CHECKOUT);
  private static final Pattern SETTING = Pattern.compile(" --set (?:'([^']+)'|(\\S+))");

  static Stream<String> servers() {
    return SERVERS.values().stream().filter(manifest -> !manifest.onlyPushes()).map(ServerManifest::name);
  }

  private static SizeText.Wanted wanted(long connections, int messageBytes) {
    return new SizeText.Wanted(connections, null, messageBytes);
  }

  private static Study study(Optional<MeasureIt> run) {
    String command = run.orElseThrow().command();
    List<String> words = List.of(command.split(" ", 4));
    assertThat(words.subList(0, 2)).containsExactly("./ladder", "run");
    List<YamlSetting> settings = SETTING.matcher(command).results()
        .map(found -> YamlSetting.parse(found.group(1) != null ? found.group(1) : found.group(2))).toList();
    return new StudyReader(CHECKOUT, SERVERS).read(words.get(2), new Selection(null, List.of(), settings));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void itIsAStudyThatCanBeRead(String server) {
    for (int connections : new int[] {1, 200_000, (int) MeasureIt.MOST_CONNECTIONS}) {
      Study memory = study(MeasureIt.memory(server, wanted(connections, 64)));
      assertThat(memory.rungs()).containsExactly(connections);
      assertThat(memory.servers()).extracting(Study.Entry::server).containsExactly(server);
    }
    String protocol = ServerManifest.named(server, SERVERS).protocol();
    String floor = protocol.equals("tcp") ? "floor" : "floor-" + protocol;
    for (double rate : new double[] {0.001, 1.5, 5_000, 1_234_567.25, MeasureIt.MOST_PER_S}) {
      Study cpu = study(MeasureIt.cpu(new SizeText.Asked(server, floor), wanted(1_000, 64), rate));
      assertThat(cpu.servers()).extracting(Study.Entry::server).contains(floor, server);
      assertThat(cpu.rungs()).containsExactly(1_000);
    }
  }

  /** What the studies send is said nowhere else; another size is a part of the command. */
  @Test
  void theSizeOfMessagesIsTheOneAskedFor() {
    assertThat(study(MeasureIt.memory("netty", wanted(1_000, 64))).load().messageBytes()).isEqualTo(64);
    assertThat(study(MeasureIt.memory("netty", wanted(1_000, 1_024))).load().messageBytes()).isEqualTo(1_024);
    SizeText.Asked netty = new SizeText.Asked("netty", "floor");
    for (int bytes : new int[] {64, 1, MeasureIt.MOST_MESSAGE_BYTES}) {
      Study cpu = study(MeasureIt.cpu(netty, wanted(1_000, bytes), 5_000));
      assertThat(cpu.servers()).allSatisfy(entry -> assertThat(cpu.load(entry).messageBytes()).isEqualTo(bytes));
    }
  }

  @Test
  void noStudyClimbsFurther() throws IOException {
    int most = JsonMapper.shared().readTree(Files.readString(CHECKOUT.root().resolve("docs/study.schema.json"))).at("/properties/rungs/items/maximum").asInt();
    assertThat(MeasureIt.MOST_CONNECTIONS).isEqualTo(most);
    assertThat(MeasureIt.memory("netty", wanted(MeasureIt.MOST_CONNECTIONS + 1, 64))).isEmpty();
    assertThat(MeasureIt.cpu(new SizeText.Asked("netty", null), wanted(1, 64), MeasureIt.MOST_PER_S + 1)).isEmpty();
  }
}
