package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** What becomes of a server's tests on a machine that cannot build it. */
final class TestedTest {
  @Test
  void withoutItsCompilerTheTestsOfAServerAreSkippedAndSayWhatIsMissing(@TempDir Path dir) throws IOException {
    Path source = Checkout.find().root().resolve("servers/contract-test/src/test/servers/epoll-c");
    String yaml = Files.readString(source.resolve(ServerManifest.FILE)).replace("build: [cc,", "build: [no-such-cc,");
    Path folder = Files.createDirectory(dir.resolve("epoll-c"));
    ServerManifest manifest = ServerManifest.read(Files.writeString(folder.resolve(ServerManifest.FILE), yaml), "epoll-c");
    assertThatThrownBy(() -> Tested.built(manifest))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageStartingWith("lacks server-build: epoll-c is built by 'no-such-cc ")
        .hasMessageContaining("and there is no no-such-cc; get it: ");
  }
}
