package echoladder.needs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes what was skipped of each class into {@code target/skipped/CLASS.tsv} of its module: a line each, the test, a tab,
 * the reason. A class of which nothing was skipped has no file, also where an earlier build left one.
 *
 * <p>JUnit finds it by its name in META-INF/services and calls it from several threads.
 */
public final class SkipListener implements TestExecutionListener {
  private final Map<String, List<Skip>> skips = new ConcurrentHashMap<>();
  private final Path folder;

  /** That of the module whose tests run. */
  public SkipListener() {
    this(Path.of(System.getProperty("basedir", ""), Skip.FOLDER));
  }

  SkipListener(Path folder) {
    this.folder = folder;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .map(SkipListener::topClass)
        .forEach(name -> skips.computeIfAbsent(name, _ -> new ArrayList<>()));
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    add(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      add(test, result.getThrowable().map(why -> String.valueOf(why.getMessage())).orElse("no reason given"));
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    skips.forEach(this::write);
    skips.clear();
  }

  private void add(TestIdentifier test, String reason) {
    List<Skip> ofClass = skips.computeIfAbsent(topClass(test), _ -> new ArrayList<>());
    synchronized (ofClass) {
      ofClass.add(new Skip(name(test), reason));
    }
  }

  private void write(String topClass, List<Skip> ofClass) {
    if (topClass.isEmpty()) {
      return;
    }
    Path file = folder.resolve(topClass + Skip.ENDING);
    try {
      if (ofClass.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        Files.createDirectories(folder);
        Files.writeString(file, ofClass.stream().map(Skip::line).sorted().collect(Collectors.joining()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write what was skipped into " + file, e);
    }
  }

  private static String className(TestIdentifier test) {
    TestSource source = test.getSource().orElse(null);
    return switch (source) {
      case MethodSource method -> method.getClassName();
      case ClassSource type -> type.getClassName();
      case null, default -> "";
    };
  }

  private static String topClass(TestIdentifier test) {
    return className(test).replaceFirst("\\$.*", "");
  }

  /** The class, and of a test also its method and, where that has several invocations, which one. */
  private static String name(TestIdentifier test) {
    String type = className(test).replaceFirst(".*\\.", "");
    if (!(test.getSource().orElse(null) instanceof MethodSource method)) {
      return type;
    }
    String shown = test.getDisplayName();
    String plain = method.getMethodName() + "(" ;
    return type + "." + method.getMethodName() + (shown.startsWith(plain) ? "" : " " + shown);
  }
}
