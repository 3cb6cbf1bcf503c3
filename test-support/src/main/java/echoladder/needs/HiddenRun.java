package echoladder.needs;

import java.lang.reflect.AnnotatedElement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The process of {@link HiddenPrograms}: runs every test that needs what is hidden, and says how each ended. */
final class HiddenRun implements TestExecutionListener {
  private final List<String> asked;
  private final AtomicInteger skipped = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();

  private HiddenRun(List<String> asked) {
    this.asked = asked;
  }

  /** Arguments: folders with tests. */
  public static void main(String[] args) {
    HiddenRun run = new HiddenRun(List.of(System.getProperty(Lacks.ASKED, "").split(",", -1)));
    LauncherFactory.create().execute(run.request(Stream.of(args).map(Path::of).toList()), run);
    for (String id : run.asked) {
      if (Need.of(id).lack().isEmpty()) {
        run.say("WRONG: " + id + " is still there");
      }
    }
    System.out.printf("%d skipped, %d wrong%n", run.skipped.get(), run.wrong.get());
    System.exit(run.skipped.get() > 0 && run.wrong.get() == 0 ? 0 : 1);
  }

  private LauncherDiscoveryRequest request(List<Path> folders) {
    List<Class<?>> classes = new ArrayList<>();
    for (Path folder : folders) {
      classes.addAll(ReflectionSupport.findAllClassesInClasspathRoot(folder.toUri(), this::concerned, _ -> true));
    }
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(classes.stream().map(DiscoverySelectors::selectClass).toList())
        .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(concerned(test)))
        .build();
  }

  private boolean concerned(Class<?> type) {
    return Stream.concat(Stream.of(type), Stream.of(type.getDeclaredMethods())).anyMatch(this::annotated);
  }

  private boolean concerned(TestDescriptor test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(source -> annotated(source.getJavaClass()) || annotated(source.getJavaMethod()))
        .orElse(true);
  }

  private boolean annotated(AnnotatedElement element) {
    return AnnotationSupport.findAnnotation(element, Needs.class)
        .filter(needs -> needs.more() || Stream.of(needs.value()).map(Need::id).anyMatch(asked::contains))
        .isPresent();
  }

  private void say(String line) {
    (line.startsWith("WRONG") ? wrong : skipped).incrementAndGet();
    System.out.println(line);
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    boolean forIt = Need.namedIn(reason).stream().anyMatch(asked::contains);
    say((forIt ? "" : "WRONG: ") + test.getUniqueId() + " was skipped: " + reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    String said = result.getThrowable().map(Throwable::toString).orElse("");
    switch (result.getStatus()) {
      case ABORTED -> {
        if (!said.endsWith(Lacks.NOT_ASKED)) {
          executionSkipped(test, said);
        }
      }
      case FAILED -> say("WRONG: " + test.getUniqueId() + " failed: " + said);
      case SUCCESSFUL -> {
        if (test.isTest() && !mayRun(test)) {
          say("WRONG: " + test.getUniqueId() + " ran");
        }
      }
    }
  }

  /** Of a class whose invocations say themselves what they need, those tests run that need nothing of it. */
  private static boolean mayRun(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(source -> AnnotationSupport.findAnnotation(((MethodSource) source).getJavaClass(), Needs.class))
        .flatMap(needs -> needs)
        .filter(Needs::more)
        .isPresent();
  }
}
