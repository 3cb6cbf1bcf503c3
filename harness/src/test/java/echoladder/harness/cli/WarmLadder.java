package echoladder.harness.cli;

import echoladder.harness.Ladder;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.probe.GapMeter;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that executes one command line after the other, for tests of many that each end at once. */
final class WarmLadder implements AutoCloseable {
  /** How a command line ended, and what it wrote. */
  record Ended(int status, String out, String err) {}

  private final Process process;
  private final DataOutputStream to;
  private final DataInputStream from;

  WarmLadder(Path home) throws IOException {
    process =
        new ProcessBuilder(
                Jdks.java().toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + Checkout.PROPERTY + "=" + home,
                "-D" + GapMeter.PROPERTY + "=0",
                "-cp",
                System.getProperty("java.class.path"),
                WarmLadder.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    to = new DataOutputStream(process.getOutputStream());
    from = new DataInputStream(process.getInputStream());
  }

  synchronized Ended execute(String... arguments) throws IOException {
    to.writeInt(arguments.length);
    for (String argument : arguments) {
      to.writeUTF(argument);
    }
    to.flush();
    return new Ended(from.readInt(), text(from), text(from));
  }

  private static String text(DataInputStream from) throws IOException {
    return new String(from.readNBytes(from.readInt()), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] none) throws IOException {
    DataInputStream from = new DataInputStream(System.in);
    DataOutputStream to = new DataOutputStream(System.out);
    try {
      while (true) {
        String[] arguments = new String[from.readInt()];
        for (int i = 0; i < arguments.length; i++) {
          arguments[i] = from.readUTF();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        int status = Ladder.execute(arguments);
        System.out.flush();
        System.err.flush();
        to.writeInt(status);
        for (ByteArrayOutputStream text : new ByteArrayOutputStream[] {out, err}) {
          to.writeInt(text.size());
          text.writeTo(to);
        }
        to.flush();
      }
    } catch (EOFException e) {
      // The test is done.
    }
  }
}
