package echoladder.servers.kit;

import echoladder.linux.ErrorText;
import echoladder.servers.kit.options.CannotRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A wait for input before there are connections. The JDK opens what virtual threads wait by, some epoll descriptors,
 * when the first of them has to wait, and tries only once: where a burst of connections had taken all descriptors by
 * then, every connection would end with an error, those that come later too.
 */
public final class FirstWait {
  private static final int LOOK_MS = 1;

  private FirstWait() {}

  /**
   * Has a virtual thread wait at a pipe, which takes neither a port nor an address.
   *
   * @throws CannotRun where it cannot
   */
  public static void ofVirtualThreads() {
    try {
      Pipe pipe = Pipe.open();
      try (Pipe.SourceChannel source = pipe.source();
          Pipe.SinkChannel sink = pipe.sink()) {
        waitAt(source, sink);
      }
    } catch (IOException | ExecutionException e) {
      throw new CannotRun(
          "could not let a virtual thread wait for input: " + ErrorText.of(e) + "; it takes some descriptors (ulimit -n)", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void waitAt(Pipe.SourceChannel source, Pipe.SinkChannel sink)
      throws IOException, ExecutionException, InterruptedException {
    FutureTask<Integer> read = new FutureTask<>(() -> source.read(ByteBuffer.allocate(1)));
    Thread reader = Thread.ofVirtual().start(read);
    while (reader.isAlive() && reader.getState() != Thread.State.WAITING) {
      Thread.sleep(LOOK_MS);
    }
    sink.write(ByteBuffer.allocate(1));
    read.get();
  }
}
