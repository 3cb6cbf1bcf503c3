package echoladder.servers.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * A class of which each instance has one server process for all of its tests. Such classes run beside others. Within a class the
 * servers come one after the other, and so do the tests of each.
 *
 * <p>JUnit runs a parameterized class in the engine's own thread, after all others, unless it is told to be concurrent. Then its instances
 * would be concurrent too. A lock of its own keeps them apart, as JUnit runs all below a lock in one thread.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = SharedServer.OneByOne.class)
public @interface SharedServer {
  /** A lock that no other class has. */
  final class OneByOne implements ResourceLocksProvider {
    @Override
    public Set<Lock> provideForClass(Class<?> testClass) {
      return Set.of(new Lock(testClass.getName()));
    }
  }
}
