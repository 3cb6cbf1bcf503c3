package echoladder.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** How functions of glibc are called: each takes a segment of {@link #CAPTURE} first, into which errno comes. */
public final class Downcall {
  public static final StructLayout CAPTURE = Linker.Option.captureStateLayout();

  private static final VarHandle ERRNO = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final Linker LINKER = Linker.nativeLinker();

  private Downcall() {}

  public static MethodHandle call(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(result, arguments),
        Linker.Option.captureCallState("errno"));
  }

  /** Calls a function that is variadic behind its first {@code named} arguments. */
  public static MethodHandle call(int named, String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(result, arguments),
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(named));
  }

  /** Binds a function that returns at once and whose failures tell nothing: it takes no segment for errno. */
  public static MethodHandle brief(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(), FunctionDescriptor.of(result, arguments), Linker.Option.critical(false));
  }

  /** What the call that wrote into this segment failed with. */
  public static int errno(MemorySegment capture) {
    return (int) ERRNO.get(capture, 0L);
  }

  /** A downcall throws only if its Java types do not match: a defect of the class that declares it. */
  public static AssertionError impossible(Throwable t) {
    return new AssertionError("system call binding is broken", t);
  }
}
