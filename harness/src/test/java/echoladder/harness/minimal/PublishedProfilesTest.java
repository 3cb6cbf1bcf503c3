package echoladder.harness.minimal;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.tune.SettingsProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tune minimal} found and is published: results/reference/tune-minimal/SERVER-N.conf. */
final class PublishedProfilesTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Pattern NAME = Pattern.compile("([a-z0-9-]+)-([0-9]+)\\.conf");

  @TempDir private Path dir;

  /** What is wrong with a published profile; empty where nothing. */
  private static String complaint(Path file) throws IOException {
    Matcher name = NAME.matcher(file.getFileName().toString());
    if (!name.matches() || !ServerManifest.all(CHECKOUT).containsKey(name.group(1))) {
      return "its name is not SERVER-N.conf";
    }
    List<String> lines = Files.readAllLines(file);
    String of = "%,d connections to %s need".formatted(Integer.parseInt(name.group(2)), name.group(1));
    if (lines.size() < 3 || !lines.get(0).contains(of)) {
      return "it does not begin with '" + of + "'";
    }
    if (!lines.get(1).startsWith("# Found by: ./ladder tune minimal ") || !lines.get(2).startsWith("# On: ")) {
      return "it does not say how and where it was found";
    }
    if (lines.stream().anyMatch(line -> line.contains("without: not tried"))) {
      return "a line of it was not tried";
    }
    if (lines.stream().anyMatch(line -> !line.isBlank() && !line.startsWith("#"))) {
      SettingsProfile.find(CHECKOUT, file.toString());
    }
    return "";
  }

  @Test
  void eachIsWhatTheCommandPrinted() throws IOException {
    Path published = CHECKOUT.results().resolve("reference/tune-minimal");
    try (Stream<Path> files = Files.isDirectory(published) ? Files.list(published) : Stream.empty()) {
      for (Path file : files.toList()) {
        assertThat(complaint(file)).as(file.toString()).isEmpty();
      }
    }
  }

  @Test
  void oneThatSomebodyWroteIsNone() throws IOException {
    Lift queue = Lift.sysctl("net.core.somaxconn", "128", "4096", List.of("lifts:   q", "value:   2 s"));
    TryQuestion question = new TryQuestion("netty", 100_000, "5000/s", "10s", List.of(), List.of(queue));
    Tried without = new Tried(List.of(), MinimalSet.Answer.FAILS, 900L, "listen backlog", "ListenOverflows", "runs/1", 1);
    MinimalSet.Found<Lift> found = new MinimalSet.Found<>(MinimalSet.Outcome.MINIMAL, List.of(queue), List.of(), 2);
    String command = "./ladder tune minimal --connections 100000 --server netty";
    String text = new MinimalProfile(question, found, List.of(without), command, "Linux 6.1, in a lab").text();
    assertThat(complaint(written("netty-100000.conf", text))).isEmpty();
    assertThat(complaint(written("netty-10000.conf", text))).contains(String.format(Locale.ROOT, "%,d connections", 10_000));
    assertThat(complaint(written("go-100000.conf", text))).contains("SERVER-N.conf");
    assertThat(complaint(written("netty-100000.conf", text.replace("# Found by: ", "# ")))).contains("how and where");
    assertThat(complaint(written("netty-100000.conf", new MinimalProfile(question, found, List.of(), command, "").text()))).contains("not tried");
  }

  private Path written(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text);
  }
}
