package echoladder.harness.lab;

import java.io.PrintStream;

/**
 * Where the command's output goes.
 *
 * @param out its stdout, byte by byte
 * @param err its stderr
 */
public record LabStreams(PrintStream out, PrintStream err) {
  /** Whether nobody takes its stdout any more. */
  boolean broken() {
    return out.checkError();
  }
}
