package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EntrySettingsTest {
  private static EntrySettings with(Map<String, String> sysctl, @Nullable Long nofile, @Nullable Integer backlog) {
    EntrySettings none = EntrySettings.NONE;
    EntrySettings.OfServer server =
        new EntrySettings.OfServer(nofile, List.of(), null, null, none.server().planMemory(), none.server().planLimits(), backlog);
    return new EntrySettings(sysctl, server, none.client());
  }

  /** What a connection takes once it is held does not depend on where it waited. */
  @Test
  void aBacklogAloneLeavesAnEntryPlain() {
    assertThat(EntrySettings.NONE.plain()).isTrue();
    assertThat(with(Map.of(), null, 65_535).plain()).isTrue();
    assertThat(with(Map.of(), 100L, 65_535).plain()).isFalse();
    assertThat(with(Map.of("net.core.somaxconn", "100"), null, null).plain()).isFalse();
  }
}
