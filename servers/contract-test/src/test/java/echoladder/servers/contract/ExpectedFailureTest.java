package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.server.ServerManifest;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** A clause that a server.yaml says cannot be kept: its failure is expected, and its success is an error. */
class ExpectedFailureTest {
  private final AssertionError seen = new AssertionError("it reads on");
  private static final Invocation<@Nullable Void> PASSES = () -> null;
  private final Invocation<@Nullable Void> fails =
      () -> {
        throw seen;
      };

  private final ExpectedFailure expected = new ExpectedFailure();

  /** What the extension is asked about; its class is this one. */
  @Clause(Clause.Name.BACK_PRESSURE)
  @SuppressWarnings("unused")
  private void ofAClause(Variant variant) {}

  private static Variant variant(Map<String, String> cannot) {
    return new Variant(
        new ServerManifest(
            Path.of("/s"), "s", "S", "tcp", "contender", "native", List.of(), List.of("s"), Map.of(), List.of(), cannot, null, 0, null, null),
        Map.of());
  }

  private static ExtensionContext context() {
    return (ExtensionContext)
        Proxy.newProxyInstance(
            ExpectedFailureTest.class.getClassLoader(),
            new Class<?>[] {ExtensionContext.class},
            (_, method, _) -> method.getName().equals("getRequiredTestClass") ? ExpectedFailureTest.class : null);
  }

  private void run(Map<String, String> cannot, Invocation<@Nullable Void> test) throws Throwable {
    Method method =
        Arrays.stream(ExpectedFailureTest.class.getDeclaredMethods()).filter(m -> m.getName().equals("ofAClause")).findFirst().orElseThrow();
    Variant variant = variant(cannot);
    expected.interceptTestTemplateMethod(
        test,
        new ReflectiveInvocationContext<>() {
          @Override
          public Class<?> getTargetClass() {
            return ExpectedFailureTest.class;
          }

          @Override
          public Optional<Object> getTarget() {
            return Optional.empty();
          }

          @Override
          public Method getExecutable() {
            return method;
          }

          @Override
          public List<Object> getArguments() {
            return List.of(variant);
          }
        },
        context());
  }

  @Test
  void whatCannotBeKeptFailsAsExpectedAndIsShownWithItsReason() throws Throwable {
    Map<String, String> cannot = Map.of("back-pressure", "the library reads on");
    assertThatThrownBy(() -> run(cannot, fails))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("fails as expected, s: back-pressure: the library reads on")
        .hasMessageContaining("seen: it reads on");
    // One of several that the library happens to pass is no sign.
    run(cannot, PASSES);
    assertThatCode(() -> expected.afterAll(context())).doesNotThrowAnyException();
  }

  @Test
  void aClauseThatIsKeptAfterAllIsAnError() throws Throwable {
    run(Map.of("back-pressure", "the library reads on"), PASSES);
    assertThatThrownBy(() -> expected.afterAll(context()))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("s: back-pressure")
        .hasMessageContaining("take them out");
    assertThatCode(() -> expected.afterAll(context())).doesNotThrowAnyException();
  }

  @Test
  void whereNothingIsExcusedAFailureIsOne() throws Throwable {
    assertThatThrownBy(() -> run(Map.of("bytes-before-fin", "of another clause"), fails)).isSameAs(seen);
    run(Map.of(), PASSES);
    expected.afterAll(context());
  }

  @Test
  void everyExcuseIsOfAClauseThatTheSuiteHas() {
    List<String> clauses = Arrays.stream(Clause.Name.values()).map(Clause.Name::toString).toList();
    assertThat(Tested.known())
        .allSatisfy((name, manifest) -> assertThat(clauses).as(name).containsAll(manifest.cannot().keySet()));
  }
}
