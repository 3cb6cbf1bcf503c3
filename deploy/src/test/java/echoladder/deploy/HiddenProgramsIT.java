package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.HiddenPrograms;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a machine without Ansible, sshd or podman, what needs them is skipped and nothing fails. */
@Needs({Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
final class HiddenProgramsIT {
  @Test
  void whatNeedsThemIsSkipped(@TempDir Path dir) throws Exception {
    List<Set<Need>> sets = List.of(Set.of(Need.ANSIBLE_PLAYBOOK), Set.of(Need.SSHD), Set.of(Need.ANSIBLE_LINT), Set.of(Need.PODMAN));
    Map<Set<Need>, HiddenPrograms.Outcome> outcomes =
        HiddenPrograms.without(sets, dir, List.of(Path.of("target/test-classes").toAbsolutePath()));
    assertThat(outcomes.keySet()).containsExactlyInAnyOrderElementsOf(sets);
    assertThat(outcomes.values()).allSatisfy(outcome -> assertThat(outcome.status()).as(outcome.said()).isZero());
  }
}
