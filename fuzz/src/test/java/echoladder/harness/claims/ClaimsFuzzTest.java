package echoladder.harness.claims;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import echoladder.harness.study.StudyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A claims.yaml. */
class ClaimsFuzzTest {
  private static final Checkout CHECKOUT = new Checkout(Inputs.ROOT);
  private static final Path FOLDER = folder();
  private static final StudyFile STUDY =
      new StudyFile(FOLDER.resolve("study.yaml"), YamlTree.parse("kind: claims\nquestion: which\n", "study.yaml"));

  /** With the small studies that claims climb. */
  private static Path folder() {
    Path folder = Inputs.scratch();
    try {
      Files.createSymbolicLink(folder.resolve("climbs"), Inputs.ROOT.resolve("studies/claims/climbs"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return folder;
  }

  static Stream<Arguments> seeds() {
    return Stream.concat(
        Inputs.files("studies/claims", "claims.yaml"),
        // A short one too: the first claim alone.
        Inputs.files("studies/claims", "claims.yaml", text -> text.substring(0, text.indexOf("\n  - id:", text.indexOf("\n  - id:") + 1) + 1)));
  }

  @MethodSource("seeds")
  @FuzzTest
  void claimsAreReadOrRefused(byte[] input) {
    Inputs.write(FOLDER.resolve("claims.yaml"), input);
    try {
      ClaimsFile file = ClaimsFile.read(CHECKOUT, STUDY, List.of());
      Ends.whole(file.only(List.of(), List.of()));
    } catch (Refusal e) {
      Ends.said(e);
    }
  }
}
