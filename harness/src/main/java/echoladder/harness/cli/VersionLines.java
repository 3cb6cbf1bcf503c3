package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.Version;
import echoladder.harness.results.Commit;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: version, commit and build, a line each. */
public final class VersionLines implements IVersionProvider {
  /** The hash of what went into the build: in a checkout that of the sources (build.sh), in a release that of its files. */
  private static final Pattern HASH = Pattern.compile("(?m)^(?:content=)?([0-9a-f]{64})\\b");

  private static final int SHOWN = 16;

  @Override
  public String[] getVersion() {
    String commit;
    String build = "not known";
    try {
      Checkout checkout = Checkout.find();
      commit = said(Commit.of(checkout));
      build = build(checkout.root());
    } catch (Refusal e) {
      commit = "not known: " + ErrorText.of(e);
    }
    return new String[] {
      "ladder " + Version.text() + " (JVM " + System.getProperty("java.vm.version") + ")", "commit " + commit, "build  " + build
    };
  }

  private static String said(Commit commit) {
    if (commit.id() == null) {
      return "not known: neither git nor a file RELEASE says it";
    }
    return commit.id() + (Boolean.TRUE.equals(commit.dirty()) ? ", and changes that are in no commit" : "");
  }

  private static String build(Path root) {
    Path release = root.resolve(Commit.RELEASE);
    boolean released = Files.isRegularFile(release);
    Path file = released ? release : root.resolve("target/ladder-built");
    try {
      Matcher hash = HASH.matcher(Files.readString(file));
      return hash.find() ? hash.group(1).substring(0, SHOWN)
          + (released ? " (SHA-256 of the release's files)" : " (SHA-256 of the sources)") : "not known: " + file;
    } catch (IOException e) {
      return "not known: not by ./ladder, which writes " + root.relativize(file);
    }
  }
}
