package echoladder.harness.engine;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.cpu.CpuList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkTimesTest {
  private static final CpuList SERVER = CpuList.parse("0");
  private static final CpuList CLIENT = CpuList.parse("1");
  private final List<String> asked = new ArrayList<>();

  /** The n-th piece of work takes n us. */
  private Long work(CpuList cpus) {
    asked.add(cpus.toString());
    return asked.size() * 1_000L;
  }

  @Test
  void theMeanOfBeforeAndAfterOnEachSide() {
    WorkTimes times = new WorkTimes(this::work, SERVER, CLIENT);
    times.before();
    assertThat(times.serverNs()).as("half of it is not known").isNull();
    times.after();
    times.after();
    assertThat(asked).as("the first end counts").containsExactly("0", "1", "0", "1");
    assertThat(times.serverNs()).isEqualTo(2_000);
    assertThat(times.clientNs()).isEqualTo(3_000);
  }

  @Test
  void processorsThatBothShareDoItOnce() {
    CpuList both = CpuList.parse("0-1");
    WorkTimes times = new WorkTimes(this::work, both, CpuList.parse("0-1"));
    times.before();
    times.after();
    assertThat(asked).containsExactly("0-1", "0-1");
    assertThat(times.clientNs()).isEqualTo(1_500).isEqualTo(times.serverNs());
  }

  @Test
  void aSideThatTellsNothingIsNotAsked() {
    WorkTimes times = new WorkTimes(this::work, null, CLIENT);
    times.before();
    times.after();
    assertThat(asked).containsExactly("1", "1");
    assertThat(times.serverNs()).isNull();
    assertThat(times.clientNs()).isEqualTo(1_500);
  }

  @Test
  void whereNobodyCanTellItIsUnknown() {
    WorkTimes times = new WorkTimes(_ -> null, SERVER, CLIENT);
    times.before();
    times.after();
    assertThat(times.serverNs()).isNull();
    assertThat(times.clientNs()).isNull();
  }
}
