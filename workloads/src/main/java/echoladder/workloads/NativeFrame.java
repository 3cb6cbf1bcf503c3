package echoladder.workloads;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;

/**
 * Blocks in a Java method that C calls: qsort(3) asks it to compare the two elements of an array. The one class here that
 * needs JDK 22; {@link Pinning} loads it by name, so that all the rest starts on JDK 21.
 */
final class NativeFrame implements Pinning.BlockingFrame {
  private final MethodHandle sort;
  private final MemorySegment compare;
  private final Duration block;

  NativeFrame(Duration block) throws ReflectiveOperationException {
    this.block = block;
    Linker linker = Linker.nativeLinker();
    sort =
        linker.downcallHandle(
            linker.defaultLookup().find("qsort").orElseThrow(),
            FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    MethodHandle own =
        MethodHandles.lookup()
            .bind(this, "compare", MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
    compare =
        linker.upcallStub(
            own,
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
            Arena.global());
  }

  @Override
  public void block() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      sort.invoke(arena.allocate(ValueLayout.JAVA_INT, 2), 2L, (long) Integer.BYTES, compare);
    }
  }

  @SuppressWarnings("unused") // By the method handle.
  int compare(MemorySegment a, MemorySegment b) {
    try {
      Thread.sleep(block);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }
}
