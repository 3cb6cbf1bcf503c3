package echoladder.harness.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From what a lab tells its command to what environment.json has. */
final class LabHostTest {
  private static LabHost told(LabHost host) {
    return Objects.requireNonNull(LabHost.told(Map.of(LabHost.VARIABLE, host.text()), true));
  }

  @Test
  void theProcessorAndTheMappingsOfTheHostAreInTheRecord() {
    assertThat(told(new LabHost(3, 65_530)).record()).containsEntry("cpu", 3).containsEntry("max_map_count", 65_530L);
    assertThat(told(new LabHost(0, 0)).record()).containsEntry("cpu", 0).containsEntry("max_map_count", null);
  }

  @Test
  void outsideOfALabTheVariableSaysNothing() {
    assertThat(LabHost.told(Map.of(LabHost.VARIABLE, "3:65530"), false)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "3:", ":65530", "3:65530:1", "x:65530", "-1:65530"})
  void whatNoLabSaysIsNothing(String text) {
    assertThat(LabHost.told(Map.of(LabHost.VARIABLE, text), true)).isNull();
  }
}
