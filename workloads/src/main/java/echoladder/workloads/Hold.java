package echoladder.workloads;

import echoladder.linux.OwnedFolder;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** What keeps a task from its end until it is released. Prepared before the tasks begin. */
abstract class Hold implements AutoCloseable {
  /** A task holds on, until all are released. Any thread; each task has a number of its own, from 0. */
  abstract void hold(int number) throws Throwable;

  /** Releases all of them, those that have not begun too. Returns at once. */
  abstract void release() throws IOException;

  @Override
  public void close() throws IOException {}

  /** Computes. */
  static final class Computing extends Hold {
    private static final int STEP = 15;

    private volatile boolean released;

    @Override
    void hold(int number) {
      while (!released) {
        if (Fibonacci.of(STEP) != Fibonacci.known(STEP)) {
          throw new IllegalStateException("the number " + STEP + " was computed wrongly");
        }
      }
    }

    @Override
    void release() {
      released = true;
    }
  }

  /** Blocks below a native frame for twice the time, so that it ends by itself only after it would have been released. */
  static final class Native extends Hold {
    private final Pinning.BlockingFrame frame;

    Native(Duration hold, Guards guards) {
      frame = Pinning.nativeFrame(hold.multipliedBy(2), guards);
    }

    @Override
    void hold(int number) throws Throwable {
      frame.block();
    }

    @Override
    void release() {}
  }

  /** Waits for a byte of a socket. */
  static final class OfSockets extends Hold {
    private final List<Socket> readers = new ArrayList<>();
    private final List<Socket> writers = new ArrayList<>();

    OfSockets(int holders) throws IOException {
      try (ServerSocket server = new ServerSocket(0, holders, InetAddress.getLoopbackAddress())) {
        for (int i = 0; i < holders; i++) {
          readers.add(new Socket(server.getInetAddress(), server.getLocalPort()));
          writers.add(server.accept());
        }
      }
    }

    @Override
    void hold(int number) throws IOException {
      if (readers.get(number).getInputStream().read() != 1) {
        throw new IOException("a socket ended before it was written to");
      }
    }

    @Override
    void release() throws IOException {
      for (Socket writer : writers) {
        writer.getOutputStream().write(1);
      }
    }

    @Override
    public void close() throws IOException {
      for (List<Socket> ends : List.of(readers, writers)) {
        for (Socket end : ends) {
          end.close();
        }
      }
    }
  }

  /** Waits for what a platform thread, which holds no carrier, has taken. */
  abstract static class Taken extends Hold {
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** To be called by the constructor of what is taken. */
    final void take() throws InterruptedException {
      Thread.ofPlatform().daemon().start(() -> with(this::keep));
      taken.await();
    }

    /** Does this while it has what all wait for. */
    abstract void with(Runnable held);

    private void keep() {
      taken.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    void hold(int number) {
      with(() -> {});
    }

    @Override
    void release() {
      released.countDown();
    }
  }

  /** Waits for a monitor. */
  static final class AtMonitor extends Taken {
    private final Object monitor = new Object();

    AtMonitor() throws InterruptedException {
      take();
    }

    @Override
    void with(Runnable held) {
      synchronized (monitor) {
        held.run();
      }
    }
  }

  /** Waits for a lock. */
  static final class AtLock extends Taken {
    private final ReentrantLock lock = new ReentrantLock();

    AtLock() throws InterruptedException {
      take();
    }

    @Override
    void with(Runnable held) {
      lock.lock();
      try {
        held.run();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Writes to a file that takes no more: a named pipe, as a file on a disk is rarely slow. */
  static final class OfFiles extends Hold {
    /** Twice what a pipe takes before a write to it waits, see pipe(7). */
    private static final int BYTES = 128 << 10;

    private final OwnedFolder folder = OwnedFolder.temporary("carriers");
    private final List<FileOutputStream> writers = new ArrayList<>();
    private final List<RandomAccessFile> readers = new ArrayList<>();

    OfFiles(int holders) throws IOException, InterruptedException {
      for (int i = 0; i < holders; i++) {
        Path pipe = folder.dir().resolve("pipe-" + i);
        int status = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor();
        if (status != 0) {
          throw new IOException("mkfifo " + pipe + " ended with status " + status + "; what it said stands above");
        }
        File file = pipe.toFile();
        // For both reading and writing, as Linux opens a pipe for one of them only when the other end is there.
        readers.add(new RandomAccessFile(file, "rw"));
        writers.add(new FileOutputStream(file));
      }
    }

    @Override
    void hold(int number) throws IOException {
      writers.get(number).write(new byte[BYTES]);
    }

    @Override
    void release() {
      // Each in a thread of its own: one that has not begun may wait for another.
      for (RandomAccessFile reader : readers) {
        Thread.ofPlatform().daemon().start(() -> drain(reader));
      }
    }

    private static void drain(RandomAccessFile reader) {
      try {
        reader.readFully(new byte[BYTES]);
      } catch (IOException e) {
        return; // Closed, as the workload has ended meanwhile.
      }
    }

    @Override
    public void close() throws IOException {
      for (FileOutputStream writer : writers) {
        writer.close();
      }
      for (RandomAccessFile reader : readers) {
        reader.close();
      }
      folder.close();
    }
  }
}
