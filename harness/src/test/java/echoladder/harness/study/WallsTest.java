package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.server.ServerManifest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The study of limits as walls: each entry with and without what it lowers. */
class WallsTest {
  private static final Checkout CHECKOUT = new Checkout(Path.of("..").toAbsolutePath().normalize());
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(CHECKOUT);

  private static Study read(String study, String... settings) {
    return new StudyReader(CHECKOUT, SERVERS)
        .read(study, new Selection(null, List.of(), List.of(settings).stream().map(YamlSetting::parse).toList()));
  }

  @Test
  void withoutThePhaseTheStudyIsAsItIsWritten() {
    assertThat(read("limits").servers()).extracting(Study.Entry::label).contains("somaxconn").hasSize(12);
    assertThat(read("limits").tuned()).isEmpty();
  }

  @Test
  void eachEntryStandsForTwo() {
    Study walls = read("limits", "tuning.phase=wall");
    assertThat(walls.servers()).hasSize(24).extracting(Study.Entry::label).contains("somaxconn-low", "somaxconn-held", "ports-port-range-low");
    assertThat(walls.tuned()).hasSize(12).allSatisfy(knob -> assertThat(knob.levels().to()).isEqualTo("as it is here"));
    Study.Entry low = walls.entry("somaxconn-low").orElseThrow();
    assertThat(low.settings().sysctl()).containsEntry("net.core.somaxconn", "8");
    assertThat(low.expectLimit()).isEqualTo(KnownLimit.SOMAXCONN);
    Study.Entry held = walls.entry("somaxconn-held").orElseThrow();
    assertThat(held.settings()).isEqualTo(EntrySettings.NONE);
    assertThat(held.expectLimit()).isNull();
    // What is no wall stays: a process without CAP_SYS_ADMIN is what meets fs.file-max at all.
    assertThat(walls.entry("file-max-held").orElseThrow().settings().server().without()).containsExactly("sys_admin");
    assertThat(walls.entry("nofile-held").orElseThrow().settings().server().nofile()).isNull();
    assertThat(walls.entry("cgroup-memory-held").orElseThrow().settings().server().memoryBytes()).isNull();
    assertThat(walls.entry("tcp-mem-held").orElseThrow().load()).isEqualTo(walls.entry("tcp-mem-low").orElseThrow().load());
  }

  /** An option of a server is lowered as a setting is. */
  @Test
  void theHeapIsAWall() {
    Study walls = read("../studies/limits/heap.yaml", "tuning.phase=wall");
    assertThat(walls.servers()).extracting(Study.Entry::label).containsExactly("heap-low", "heap-held");
    assertThat(walls.entry("heap-low").orElseThrow().options()).containsEntry("max-heap-percent", "1");
    assertThat(walls.entry("heap-held").orElseThrow().options()).doesNotContainEntry("max-heap-percent", "1");
    assertThat(walls.tuned().getFirst().levels().from()).isEqualTo("1");
  }

  @Test
  void someOfThem() {
    assertThat(read("limits", "tuning.phase=wall", "tuning.knobs=[somaxconn]").servers())
        .extracting(Study.Entry::label)
        .containsExactly("somaxconn-low", "somaxconn-held");
  }

  @Test
  void refusesAStudyThatLowersNothing() {
    assertThatThrownBy(() -> read("quick", "tuning.phase=wall")).hasMessageContaining("is the wall of no knob");
    assertThatThrownBy(() -> read("limits", "tuning.phase=wall", "tuning.knobs=[gogc]"))
        .hasMessageContaining("'gogc' has no wall in this study; it has cgroup-memory, epoll-watches");
  }
}
