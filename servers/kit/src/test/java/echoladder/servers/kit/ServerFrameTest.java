package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.kit.options.ServerOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

/** A server as a process whose start finds no memory, or no thread. */
class ServerFrameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unable to create native thread: possibly out of memory|RLIMIT_NPROC",
        "Cannot reserve 65536 bytes of direct buffer memory|-XX:MaxDirectMemorySize",
        "Java heap space|-Xmx",
      })
  void aStartWithoutMemoryEndsWith3AndNamesTheLimit(String seen, String limit) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-Dseen=" + seen,
                "-cp", System.getProperty("java.class.path"), Starved.class.getName(), "--port", "0")
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ended").isTrue();
      assertThat(process.exitValue()).as(said).isEqualTo(3);
      assertThat(said.lines()).as(said).singleElement().asString().startsWith("starved: could not start: ").contains(seen, limit);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** It has started a thread that would keep the process. */
  @Command(name = "starved")
  static final class Starved implements EchoProgram {
    public static void main(String[] args) {
      ServerFrame.main(new Starved(), args);
    }

    @Override
    public EchoServer start(ServerOptions options, EchoContext context) {
      CountDownLatch never = new CountDownLatch(1);
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  never.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      throw new OutOfMemoryError(System.getProperty("seen"));
    }
  }
}
