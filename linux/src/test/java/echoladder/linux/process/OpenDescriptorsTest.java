package echoladder.linux.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenDescriptorsTest {
  /** Other tests of this process open and close descriptors too: a look at a moment in which they do is made again. */
  @Test
  void eachIsCountedByItsKind() {
    await().untilAsserted(OpenDescriptorsTest::countsWhatIsOpened);
  }

  private static void countsWhatIsOpened() throws IOException {
    OpenDescriptors before = OpenDescriptors.of(ProcessHandle.current().pid());
    Pipe pipe = Pipe.open();
    try (ServerSocket socket = new ServerSocket(0);
        Selector selector = Selector.open();
        Pipe.SinkChannel _ = pipe.sink();
        Pipe.SourceChannel _ = pipe.source()) {
      OpenDescriptors now = OpenDescriptors.of(ProcessHandle.current().pid());
      assertThat(socket.isBound() && selector.isOpen()).isTrue();
      assertThat(count(now.kinds(), "socket")).isGreaterThan(count(before.kinds(), "socket"));
      assertThat(count(now.kinds(), "pipe")).isGreaterThanOrEqualTo(count(before.kinds(), "pipe") + 2);
      assertThat(count(now.kinds(), "eventpoll")).isGreaterThan(count(before.kinds(), "eventpoll"));
      assertThat(now.kinds().values().stream().mapToLong(n -> n).sum()).isEqualTo(now.total());
      assertThat((long) now.sockets().size()).isEqualTo(count(now.kinds(), "socket"));
    }
  }

  private static long count(Map<String, Long> kinds, String kind) {
    return kinds.getOrDefault(kind, 0L);
  }

  @ParameterizedTest
  @CsvSource({
    "socket:[4711], socket", "pipe:[1], pipe", "anon_inode:[eventpoll], eventpoll", "anon_inode:inotify, inotify", "/dev/null, device",
    "/tmp/a:[b], file", "/memfd:x (deleted), file", "net:[4026531840], net"
  })
  void kindsAreThoseOfTheKernel(String target, String kind) {
    assertThat(OpenDescriptors.kind(target)).isEqualTo(kind);
  }

  @Test
  void aProcessThatIsNotThereIsSaid() {
    assertThatThrownBy(() -> OpenDescriptors.of(1L << 23)).isInstanceOf(NoSuchFileException.class);
  }
}
