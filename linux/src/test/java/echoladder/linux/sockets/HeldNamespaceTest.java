package echoladder.linux.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldNamespaceTest {
  private static String ran(String... argv) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static List<String> devices() {
    try {
      return Files.readAllLines(Path.of("/proc/thread-self/net/dev")).stream().skip(2).map(line -> line.strip().split(":", 2)[0]).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String ran(HeldNamespace namespace, String... argv) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("nsenter", "--net=" + namespace.path(), "--"));
    all.addAll(Arrays.asList(argv));
    return ran(all.toArray(String[]::new));
  }

  /** The threads of this process stay outside; programs and threads may go in, as long as it is held. */
  @Needs({Need.NSENTER, Need.IP, Need.NAMESPACES})
  @Test
  void isAnotherNamespaceWithLoopbackAlone() throws Exception {
    String before = NetworkNamespace.own();
    try (HeldNamespace namespace = HeldNamespace.make()) {
      assertThat(NetworkNamespace.own()).isEqualTo(before);
      assertThat(ran(namespace, "readlink", "/proc/self/ns/net").strip()).isNotEqualTo(ran("readlink", "/proc/self/ns/net").strip());
      assertThat(namespace.in(HeldNamespaceTest::devices)).containsExactly("lo");
    }
  }

  /** A cable to it ends with it: the kernel removes both ends. */
  @Needs({Need.NSENTER, Need.IP, Need.NAMESPACES, Need.VETH})
  @Test
  void endsOnceItIsLetGo() throws Exception {
    try (HeldNamespace other = HeldNamespace.make()) {
      HeldNamespace namespace = HeldNamespace.make();
      ran(namespace, "ip", "link", "add", "name", "here-a", "type", "veth", "peer", "name", "here-b");
      ran(namespace, "ip", "link", "set", "here-b", "netns", other.path());
      assertThat(ran(other, "ip", "-br", "link")).contains("here-b");
      namespace.close();
      namespace.close();
      await().untilAsserted(() -> assertThat(ran(other, "ip", "-br", "link")).doesNotContain("here-b"));
    }
  }
}
