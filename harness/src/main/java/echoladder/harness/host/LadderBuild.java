package echoladder.harness.host;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Version;
import echoladder.harness.results.Commit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The build of the ladder that a host has. Two builds are the same if the files of their class paths are. A checkout and a release of
 * one source are the same.
 *
 * @param version of it
 * @param commit that it was built of, as {@link Commit} has it; null where nobody says
 * @param dirty whether there were changes beside it; null where nobody says
 * @param program hashes of its own files by their names
 */
record LadderBuild(String version, @Nullable String commit, @Nullable Boolean dirty, Map<String, String> program) {
  private static final int SHOWN_FILES = 3;
  private static final int SHOWN_COMMIT = 10;

  LadderBuild {
    program = Map.copyOf(program);
  }

  /** That of this process. */
  static LadderBuild here(Checkout checkout, Map<String, String> program) {
    Commit commit = Commit.of(checkout);
    return new LadderBuild(Version.text(), commit.id(), commit.dirty(), program);
  }

  /** That of a host, as it says. */
  static LadderBuild of(HostReplies.Who who) {
    Map<?, ?> ladder = who.environment() != null && who.environment().get("ladder") instanceof Map<?, ?> map ? map : Map.of();
    return new LadderBuild(
        who.version(),
        ladder.get("git_commit") instanceof String id ? id : null,
        ladder.get("git_dirty") instanceof Boolean dirty ? dirty : null,
        who.program());
  }

  /** In what it differs from the one there, as one sentence without the host's name; null where it does not. */
  @Nullable String otherThan(LadderBuild there, String dir) {
    Set<String> differ = new TreeSet<>(program.keySet());
    differ.addAll(there.program.keySet());
    differ.removeIf(file -> Objects.equals(program.get(file), there.program.get(file)));
    if (differ.isEmpty()) {
      return null;
    }
    List<String> shown = differ.stream().limit(SHOWN_FILES).toList();
    return ("has another version of the ladder at %s: %s there, %s here; other files: %s%s; run the ladder here that was installed there,"
        + " or install this one there:")
            .formatted(dir, there.words(), words(), String.join(", ", shown), differ.size() > SHOWN_FILES
                ? " and %d more".formatted(differ.size() - SHOWN_FILES) : "")
        + " 'mvn package' makes its tarball, prepare.yml unpacks it";
  }

  private String words() {
    return commit == null
        ? version
        : "%s of commit %s%s".formatted(version, commit.substring(0, Math.min(SHOWN_COMMIT, commit.length())), Boolean.TRUE.equals(dirty)
            ? " with changes" : "");
  }
}
