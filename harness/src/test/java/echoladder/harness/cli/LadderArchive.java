package echoladder.harness.cli;

import echoladder.harness.Ladder;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.probe.GapMeter;
import echoladder.jvm.SharedArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the ladder, shared by the hundreds of ladders that a build starts. The archive is made while the first of
 * them run, and only where the system property {@value #WANTED} asks for it: a few do not earn its cost.
 */
public final class LadderArchive {
  private static final String WANTED = "echoladder.test.archive";

  private static final CompletableFuture<@Nullable SharedArchive> MADE =
      Boolean.getBoolean(WANTED)
          ? CompletableFuture.supplyAsync(LadderArchive::make)
          : CompletableFuture.completedFuture(null);

  private static final String STUDY =
      """
      name: training
      question: Which classes does a run load?
      servers: [floor]
      rungs: [10]
      repeats: 1
      load: {rate: {total: 100/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 0s, steady: 1s, drain: 1s}
      """;

  private LadderArchive() {}

  /** The JVM's options for a ladder with this process's class path; none as long as there is no archive. */
  public static List<String> options() {
    SharedArchive made = MADE.isCompletedExceptionally() ? null : MADE.getNow(null);
    return made == null ? List.of() : made.options();
  }

  private static @Nullable SharedArchive make() {
    List<String> command =
        List.of(
            Jdks.java().toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
            "-D" + Checkout.PROPERTY + "=" + Path.of("..").toAbsolutePath().normalize(), "-D" + GapMeter.PROPERTY + "=0",
            "-cp", System.getProperty("java.class.path"), LadderArchive.class.getName());
    return SharedArchive.make(
        "ladder", command, trainee -> trainee.getInputStream().transferTo(OutputStream.nullOutputStream()));
  }

  /** The trainee: a run with its report. */
  public static void main(String[] none) throws IOException {
    Path dir = Files.createTempDirectory("ladder-training");
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Ladder.execute("run", study.toString(), "--results", dir.resolve("results").toString());
    try (var files = Files.walk(dir)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    }
  }
}
