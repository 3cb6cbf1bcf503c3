package echoladder.workloads;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;

/** A class whose initialiser blocks: as often as one likes, as each loader has one of its own. */
final class SlowClass {
  static final String BLOCK_MS = "echoladder.workloads.block-ms";

  private SlowClass() {}

  /** Loads it once more and waits for its initialiser. */
  static void initialiseAnother(Duration block) throws ReflectiveOperationException, IOException {
    System.setProperty(BLOCK_MS, Long.toString(block.toMillis()));
    Class.forName(Blocks.class.getName(), true, new Loader());
  }

  /** Blocks when it is initialised. */
  static final class Blocks {
    static {
      try {
        Thread.sleep(Long.getLong(BLOCK_MS, 10));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private Blocks() {}
  }

  /** Defines that class itself; all others are its parent's. */
  private static final class Loader extends ClassLoader {
    private static final byte[] BYTES = bytes();

    Loader() {
      super(SlowClass.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return name.equals(Blocks.class.getName()) ? defineClass(name, BYTES, 0, BYTES.length) : super.loadClass(name, resolve);
    }

    private static byte[] bytes() {
      try (InputStream in = SlowClass.class.getResourceAsStream("SlowClass$Blocks.class")) {
        return Objects.requireNonNull(in).readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
