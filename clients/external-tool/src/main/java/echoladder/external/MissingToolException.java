package echoladder.external;

import java.io.IOException;

/**
 * A load tool is not there, or is another one than meant. The message is one line: what was seen, the upstream project,
 * and the way on. Ends in exit status 3.
 */
public final class MissingToolException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param tool its name, which is also the option that names its path
   * @param seen what was found instead, e.g. "no tcpkali on PATH"
   * @param project where it comes from
   */
  public MissingToolException(String tool, String seen, String project) {
    super(
        "%s: %s; it comes from %s; name it with --%s PATH, or use --client open-loop"
            .formatted(tool, seen, project, tool));
  }
}
