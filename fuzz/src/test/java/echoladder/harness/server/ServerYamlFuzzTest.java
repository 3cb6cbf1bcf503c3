package echoladder.harness.server;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server.yaml. */
class ServerYamlFuzzTest {
  private static final String NAME = "fuzzed";
  private static final Path FOLDER = Inputs.scratch().resolve(NAME);

  static Stream<Arguments> seeds() {
    return Inputs.inFolders("servers", ServerManifest.FILE, text -> text.replaceFirst("(?m)^name: .*$", "name: " + NAME));
  }

  @MethodSource("seeds")
  @FuzzTest
  void aServerIsReadOrRefused(byte[] input) throws IOException {
    Files.createDirectories(FOLDER);
    Path file = Inputs.write(FOLDER.resolve(ServerManifest.FILE), input);
    try {
      ServerManifest server = ServerManifest.read(file, "server.yaml");
      Map<String, String> inForce = server.inForce(Map.of());
      server.argv(Path.of("java"), ServerSettings.DEFAULT.with(server.resolved(inForce)));
      inForce.forEach(server::complaint);
      server.speaks();
    } catch (Refusal e) {
      Ends.said(e);
    }
  }
}
