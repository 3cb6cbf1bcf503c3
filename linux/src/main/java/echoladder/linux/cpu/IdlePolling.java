package echoladder.linux.cpu;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * While it is open, processors that have nothing to do poll in the kernel instead of halting, so that what is to run next runs at
 * once. It is a request for a latency of 0 us (Documentation/power/pm_qos_interface.rst of the kernel). The kernel counts such
 * time as idle, and takes the request back with the last descriptor, however this process ends.
 */
public final class IdlePolling implements AutoCloseable {
  /** Takes a 32-bit number, in us. */
  private static final Path DEVICE = Path.of("/dev/cpu_dma_latency");

  /** Which idle states there are to choose among. */
  private static final Path DRIVER = Path.of("/sys/devices/system/cpu/cpuidle/current_driver");

  private static final String NONE = "none";

  private final FileChannel request;

  private IdlePolling(FileChannel request) {
    this.request = request;
  }

  /** Why this process may not ask for it, or why it would change nothing; null where nothing is known against it. */
  public static @Nullable String complaint() {
    return complaint(DEVICE, DRIVER);
  }

  static @Nullable String complaint(Path device, Path driver) {
    if (!Files.isWritable(device)) {
      return Files.exists(device)
          ? device + " cannot be written by this user; root can, and so can whom root lets: setfacl -m u:$USER:rw " + device
          : device + " is not there: this kernel takes no requests for a latency, or a container hides it";
    }
    String known;
    try {
      known = Files.readString(driver).strip();
    } catch (IOException e) {
      known = NONE;
    }
    return known.isEmpty() || known.equals(NONE)
        ? "this kernel has no idle states to choose among (" + driver + "); boot it with idle=poll instead, and leave the setting out"
        : null;
  }

  /**
   * Asks for it.
   *
   * @throws IOException where the kernel refuses
   */
  public static IdlePolling begin() throws IOException {
    FileChannel request = FileChannel.open(DEVICE, StandardOpenOption.WRITE);
    try {
      ByteBuffer none = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
      request.write(none);
      return new IdlePolling(request);
    } catch (IOException e) {
      request.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    request.close();
  }
}
