package echoladder.harness.tune;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.common.Refusal;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A journal of changed settings. */
class JournalFuzzTest {
  private static final Path FOLDER = Inputs.scratch();

  static Stream<Arguments> seeds() {
    String header = "{\"version\":1,\"boot_id\":\"0e7c\",\"scope\":\"host\"}\n";
    return Inputs.texts(
        header + "{\"key\":\"net.core.somaxconn\",\"old\":\"4096\",\"value\":\"65535\",\"profile\":\"10k\"}\n{\"group\":\"/sys/fs/cgroup/x\"}\n{\"key\"",
        header.replace("\"host\"", "\"net:[1] cookie 1\",\"ends_with_run\":true"));
  }

  @MethodSource("seeds")
  @FuzzTest
  void aJournalIsReadOrRefused(byte[] input) {
    try {
      Journal journal = Journal.read(Inputs.write(FOLDER.resolve("tune-0e7c-host.jsonl"), input));
      if (journal != null) {
        Ends.whole(journal);
        journal.oldest();
        journal.latest();
      }
    } catch (Refusal e) {
      Ends.said(e);
    }
  }
}
