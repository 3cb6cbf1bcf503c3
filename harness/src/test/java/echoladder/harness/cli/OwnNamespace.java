package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A network namespace of a test, with loopback alone, and ladders in it whose journals are in a folder of the test. */
final class OwnNamespace {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private final String name;
  private final Path journals;

  /** Makes it; {@code name} is the test's, at most 7 letters. */
  OwnNamespace(String name, Path journals) throws IOException, InterruptedException {
    this.name = name + "-" + ProcessHandle.current().pid();
    this.journals = journals;
    command("ip", "netns", "add", this.name);
    command("ip", "-n", this.name, "link", "set", "lo", "up");
  }

  private List<String> inside() {
    return List.of("nsenter", "--net=/run/netns/" + name);
  }

  private static String command(String... argv) throws IOException, InterruptedException {
    return command(Arrays.asList(argv));
  }

  private static String command(List<String> argv) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said.trim();
  }

  /** A setting there, with single blanks. */
  String read(String key) throws IOException, InterruptedException {
    return read(List.of(key)).getFirst();
  }

  /** Settings there, in that order, with single blanks. */
  List<String> read(Collection<String> keys) throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(inside());
    argv.add("cat");
    keys.forEach(key -> argv.add("/proc/sys/" + key.replace('.', '/')));
    // A setting may be empty.
    return Stream.of(command(argv).split("\n", -1)).map(line -> line.strip().replaceAll("\\s+", " ")).toList();
  }

  void set(String key, String value) throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(inside());
    argv.addAll(List.of("sh", "-c", "echo '" + value + "' >/proc/sys/" + key.replace('.', '/')));
    command(argv);
    assertThat(read(key)).isEqualTo(value);
  }

  /** A ladder in it. */
  LadderProcess ladder(Path logs, String... arguments) {
    return ladder(logs, Map.of(), arguments);
  }

  /** A ladder in it with an environment. */
  LadderProcess ladder(Path logs, Map<String, String> environment, String... arguments) {
    return LadderProcess.startWith(wrapper(), HOME, logs, environment, arguments);
  }

  /** A ladder in it of another checkout. */
  LadderProcess ladderOf(Path home, Path logs, String... arguments) {
    return LadderProcess.startWith(wrapper(), home, logs, arguments);
  }

  private List<String> wrapper() {
    // With a folder of journals of its own: any other run of this host would put back what is left, too.
    List<String> wrapper =
        new ArrayList<>(
            List.of(
                "unshare", "--mount", "--propagation", "private", "sh", "-c",
                "mkdir -p /var/lib/echo-ladder && mount --bind \"$0\" /var/lib/echo-ladder && exec \"$@\"", journals.toString()));
    wrapper.addAll(inside());
    return wrapper;
  }

  /** The names of its devices. */
  List<String> links() throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(inside());
    argv.addAll(List.of("ip", "-o", "link"));
    return command(argv).lines().map(line -> line.split("[:@] ?", 4)[1]).toList();
  }

  void remove() throws IOException, InterruptedException {
    command("ip", "netns", "del", name);
  }
}
