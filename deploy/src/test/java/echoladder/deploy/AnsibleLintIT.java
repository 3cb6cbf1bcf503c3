package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ansible-lint warns of in the playbooks: nothing, by its strictest profile. */
@Tag("long")
@Needs(Need.ANSIBLE_LINT)
final class AnsibleLintIT {
  @TempDir private Path dir;

  /** In a copy, as it leaves its files in the folder that it looks at. */
  @Test
  void findsNothing() throws Exception {
    Path deploy = Tarball.CHECKOUT.resolve("deploy");
    Ended copy =
        Commands.run(
            "sh", "-c", "cp -r \"$1\"/*.yml \"$1\"/roles \"$2\" && rm -f \"$2\"/inventory.yml && git init -q \"$2\"", "copy",
            deploy.toString(), dir.toString());
    assertThat(copy.status()).as(copy.said()).isZero();
    ProcessBuilder lint = new ProcessBuilder("ansible-lint", "--offline", "--strict", "--nocolor", "--profile", "production").directory(dir.toFile());
    lint.environment().put("HOME", dir.toString());
    lint.environment().put("LC_ALL", "C.UTF-8");
    Ended ended = Commands.run(lint);
    assertThat(ended.status()).as(ended.said()).isZero();
  }
}
