package echoladder.harness.results;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Command;
import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The commit that the ladder was built of: a checkout's as git says, a release's as its file RELEASE says.
 *
 * @param id of the commit; null where nobody says
 * @param dirty whether there were changes beside it; null where nobody says
 */
public record Commit(@Nullable String id, @Nullable Boolean dirty) {
  /** In the root of an unpacked release; deploy/make-tarball.sh writes it. */
  public static final String RELEASE = "RELEASE";

  /** A folder of some repository may have a release unpacked in it: the release's own file counts there. */
  public static Commit of(Checkout checkout) {
    Path release = checkout.root().resolve(RELEASE);
    return Files.isRegularFile(release) ? told(release) : asked(checkout.root());
  }

  private static Commit told(Path file) {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw Refusal.cannotRun("cannot read which release this is: " + file + ": " + ErrorText.of(e) + "; unpack it again");
    }
    String id = properties.getProperty("commit", "");
    return id.isEmpty() ? new Commit(null, null) : new Commit(id, !"false".equals(properties.getProperty("dirty")));
  }

  private static Commit asked(Path root) {
    String id = Command.output(root, "git", "rev-parse", "HEAD");
    String changes = id == null ? null : Command.output(root, "git", "status", "--porcelain");
    return new Commit(id, changes == null ? null : (Boolean) !changes.isEmpty());
  }
}
