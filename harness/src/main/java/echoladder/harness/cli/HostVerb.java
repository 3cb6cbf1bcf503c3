package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.host.HostControl;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ladder host}: the control process of a host, which a run over several starts by ssh. */
@Command(
    name = "host",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = "Start servers and client processes for a './ladder run --hosts' elsewhere, which speaks by stdin and stdout.",
    footer = {
      "",
      "Example: what a run starts on each host of its inventory",
      "  ssh HOST /opt/echo-ladder/ladder host",
      "",
      "It ends with its stdin, when nobody reads its stdout, or 20 s after the last line on stdin, with all that it started.",
      "It listens at no port.",
      "Exit status: 0 stdin ended; 2 a line on stdin was no question; 3 could not run, or nobody asked or read any more."
    })
public final class HostVerb implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    // Whatever else prints must not stand between two answers.
    PrintStream err = System.err;
    System.setOut(err);
    return HostControl.serve(Checkout.find(), System.in, new FileOutputStream(FileDescriptor.out));
  }
}
