package echoladder.harness.host;

import echoladder.harness.common.Checkout;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** {@code ladder host} with a clock that gains 10 ms in each second, as seen by whoever asks for the clock. */
public final class DriftingHost {
  private DriftingHost() {}

  /** Serves until stdin ends. */
  public static void main(String[] arguments) throws IOException {
    long startNs = System.nanoTime();
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    System.exit(
        HostControl.serve(
            Checkout.find(),
            System.in,
            out,
            () -> {
              long nowNs = System.nanoTime();
              return nowNs + (nowNs - startNs) / 100;
            }));
  }
}
