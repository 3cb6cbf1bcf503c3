package echoladder.servers.contract;

import echoladder.needs.SkippedList;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Expects the tests of a {@link Clause} to fail where the server.yaml says that the library cannot keep it: a failure is shown
 * as aborted, with the reason. A test class in which every test of such a clause has passed fails, as the server.yaml is then
 * no longer right.
 */
public final class ExpectedFailure implements InvocationInterceptor, AfterAllCallback {
  /** By class, server and clause: whether any of its tests has failed. */
  private static final Map<String, Map<String, Boolean>> FAILED = new ConcurrentHashMap<>();

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
      throws Throwable {
    intercept(invocation, method, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
      throws Throwable {
    intercept(invocation, method, context);
  }

  private static void intercept(
      Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
      throws Throwable {
    Clause clause = method.getExecutable().getAnnotation(Clause.class);
    if (clause == null) {
      invocation.proceed();
      return;
    }
    Variant variant = variant(method);
    String reason = variant.manifest().cannot().get(clause.value().toString());
    if (reason == null) {
      invocation.proceed();
      return;
    }
    String key = "%s: %s".formatted(variant, clause.value());
    Map<String, Boolean> ofClass = FAILED.computeIfAbsent(context.getRequiredTestClass().getName(), _ -> new ConcurrentHashMap<>());
    try {
      invocation.proceed();
    } catch (TestAbortedException e) {
      throw e;
    } catch (Throwable e) {
      ofClass.put(key, true);
      throw new TestAbortedException(SkippedList.EXPECTED_FAILURE + key + ": " + reason + "; seen: " + e.getMessage(), e);
    }
    ofClass.putIfAbsent(key, false);
  }

  private static Variant variant(ReflectiveInvocationContext<Method> method) {
    for (Object argument : method.getArguments()) {
      if (argument instanceof Variant variant) {
        return variant;
      }
    }
    return ((OfVariant) method.getTarget().orElseThrow()).variant();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Map<String, Boolean> ofClass = FAILED.remove(context.getRequiredTestClass().getName());
    Map<String, Boolean> kept = new TreeMap<>(ofClass == null ? Map.of() : ofClass);
    kept.values().removeIf(failed -> failed);
    if (!kept.isEmpty()) {
      throw new AssertionFailedError(
          "clauses that are kept although a server.yaml says under 'cannot' that they cannot be: "
              + String.join(", ", kept.keySet()) + "; take them out there");
    }
  }
}
