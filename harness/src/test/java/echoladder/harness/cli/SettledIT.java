package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a power cut leaves: run.json names nothing that had not reached the disk before, by the order of the system calls. */
@Tag("long")
class SettledIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FSYNC = Pattern.compile("fsync\\(\\d+<([^>]*)>");
  private static final Pattern RENAME = Pattern.compile("rename(?:at2?)?\\(.*\"([^\"]*)\"");

  private static final String STUDY =
      """
      name: settled
      question: What is on the disk before run.json is?
      servers: [floor]
      rungs: [20]
      repeats: 2
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 1s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  @Test
  @Needs(Need.STRACE)
  void logsAndSamplesReachTheDiskBeforeTheRecordThatNamesThem() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Path trace = dir.resolve("trace");
    Path results = dir.resolve("a/b/results");
    List<String> strace =
        List.of("strace", "--seccomp-bpf", "-f", "-y", "-e", "trace=fsync,rename,renameat,renameat2", "-o", trace.toString());
    try (LadderProcess ladder = LadderProcess.startWith(strace, HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
    }
    List<String> before = new ArrayList<>();
    List<List<String>> records = new ArrayList<>();
    for (String line : Files.readAllLines(trace)) {
      Matcher fsync = FSYNC.matcher(line);
      Matcher rename = RENAME.matcher(line);
      if (fsync.find()) {
        before.add(fsync.group(1));
      } else if (rename.find() && rename.group(1).endsWith("/run.json")) {
        records.add(List.copyOf(before));
      }
    }
    // Of the beginning, of each repeat, and of the end.
    assertThat(records).hasSize(4);
    assertThat(records.getFirst())
        .as("each folder that was made, in the one that it was made in")
        .contains(dir.toString(), dir.resolve("a").toString(), dir.resolve("a/b").toString(), results.toString(), results.resolve("settled").toString());
    for (int repeat = 1; repeat <= 2; repeat++) {
      List<String> since = records.get(repeat).subList(records.get(repeat - 1).size(), records.get(repeat).size());
      String stem = "/0000020-floor-r" + repeat;
      assertThat(since).anyMatch(path -> path.endsWith(stem + ".hlog"));
      assertThat(since).anyMatch(path -> path.endsWith(stem + ".server.log"));
      assertThat(since).anyMatch(path -> path.endsWith("/samples.csv"));
      assertThat(since.getLast()).as("last the record itself").contains(".run.json.");
    }
  }
}
