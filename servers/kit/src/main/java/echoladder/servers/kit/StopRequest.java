package echoladder.servers.kit;

import echoladder.linux.ErrorText;
import echoladder.servers.kit.options.CannotRun;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;

/** Waits for whatever tells the server to stop: SIGTERM, SIGINT, the end of stdin, or a part of it that has failed. */
final class StopRequest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private volatile String cause = "";
  private volatile boolean failed;

  void ask(String because) {
    cause = because;
    asked.countDown();
  }

  /** The server cannot go on. */
  void fail(String because) {
    failed = true;
    ask(because);
  }

  /** Whether {@link #await} gave a failure. */
  boolean failed() {
    return failed;
  }

  /** Blocks until somebody asks; gives what it was. */
  String await() throws InterruptedException {
    asked.await();
    return cause;
  }

  /**
   * Turns a signal into a request. A shutdown hook would not do: the process would end with 143 instead of 0, and
   * ending it by halt would cut off the hooks of others, e.g. a flight recording that is yet to be written.
   */
  void onSignal(String name) {
    try {
      // By reflection, as javac warns of sun.misc.Signal and has no way to say that it is meant.
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      MethodHandle ask =
          MethodHandles.lookup().bind(this, "ask", MethodType.methodType(void.class, String.class)).bindTo("SIG" + name);
      Object handler =
          MethodHandleProxies.asInterfaceInstance(handlerType, MethodHandles.dropArguments(ask, 0, signalType));
      Object signal = signalType.getConstructor(String.class).newInstance(name);
      signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
    } catch (ReflectiveOperationException e) {
      throw new CannotRun("could not take over SIG" + name + ", without which a stop would lose echoes: " + ErrorText.of(e), e);
    }
  }

  /** Turns the end of {@code in} into a request; what it holds until then is dropped. */
  void onEnd(InputStream in) {
    Thread.ofPlatform()
        .daemon()
        .name("stdin")
        .start(
            () -> {
              byte[] dropped = new byte[64];
              try {
                while (in.read(dropped) >= 0) {}
                ask("stdin ended");
              } catch (IOException e) {
                ask("stdin failed: " + e.getMessage());
              }
            });
  }
}
