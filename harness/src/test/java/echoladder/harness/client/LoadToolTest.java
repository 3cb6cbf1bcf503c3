package echoladder.harness.client;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LoadToolTest {
  private final InstalledClients clients = new InstalledClients(List.of("java"), null, null);

  @ParameterizedTest
  @EnumSource
  void itsClientBearsItsName(LoadTool tool) throws IOException {
    assertThat(clients.make(tool, Path.of("never-written"), List.of()).name()).isEqualTo(tool.id());
    assertThat(LoadTool.ofId(tool.id())).isEqualTo(tool);
    Path page = Path.of("../clients", tool.id(), "README.md");
    if (!Files.exists(page)) {
      // The other loop of our own client is on the same page.
      assertThat(Path.of("../clients/open-loop/README.md")).content().contains("\n## `client: " + tool.id() + "`\n");
    }
  }

  @Test
  void theSchemaOfStudiesHasTheSameNames() {
    JsonNode schema = JsonMapper.shared().readTree(Path.of("../docs/study.schema.json").toFile());
    List<String> names = schema.at("/$defs/client/enum").valueStream().map(JsonNode::asString).toList();
    assertThat(names).isEqualTo(Arrays.stream(LoadTool.values()).map(LoadTool::id).toList());
  }

  @Test
  void saysWhatFits() {
    assertThat(LoadTool.fitting(Protocol.TCP)).isEqualTo("open-loop, tcpkali");
    assertThat(LoadTool.fitting(Protocol.HTTP)).isEqualTo("open-loop, wrk2");
    assertThat(LoadTool.fitting(Protocol.WEBSOCKET)).isEqualTo("open-loop");
  }
}
