package echoladder.wrk2;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.external.MissingToolException;
import echoladder.external.SearchPath;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real program that wrk2 descends from: a closed loop, and not wrk2. */
@Needs(Need.WRK)
class RealWrkTest {
  @Test
  void isNotTakenForWrk2(@TempDir Path folder) throws Exception {
    Files.createSymbolicLink(folder.resolve("wrk"), SearchPath.own().find("wrk").orElseThrow());
    assertThatThrownBy(() -> Wrk2.find(new SearchPath(folder.toString()), null))
        .isInstanceOf(MissingToolException.class)
        .hasMessageContaining("is wrk, a closed loop without --rate");
  }
}
