package echoladder.needs;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

/**
 * The process of {@link HiddenPrograms}: hides the programs of one set after the other, runs every test that needs one of
 * them, and writes how each ended into a file named after the set.
 */
final class HiddenRun implements TestExecutionListener {
  /** The file that is put over a program, in the folder for files. */
  static final String EMPTY = "hidden";

  private final List<String> asked;
  private final StringBuilder said = new StringBuilder();
  private int skipped;
  private int wrong;

  private HiddenRun(List<String> asked) {
    this.asked = asked;
  }

  /** Arguments: a folder for files, the sets with semicolons between and commas within, folders with tests. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path scratch = Path.of(args[0]);
    List<Class<?>> classes = new ArrayList<>();
    for (String folder : List.of(args).subList(2, args.length)) {
      classes.addAll(ReflectionSupport.findAllClassesInClasspathRoot(Path.of(folder).toUri(), HiddenRun::needsAnything, _ -> true));
    }
    for (String set : args[1].split(";", -1)) {
      List<Path> programs = List.copyOf(HiddenPrograms.files(Stream.of(set.split(",", -1)).map(Need::of).toList()));
      for (Path program : programs) {
        command("mount", "--bind", scratch.resolve(EMPTY).toString(), program.toString());
      }
      Files.writeString(scratch.resolve(set), new HiddenRun(List.of(set.split(",", -1))).run(classes));
      for (Path program : programs) {
        command("umount", program.toString());
      }
    }
    System.exit(0);
  }

  private static void command(String... argv) throws IOException, InterruptedException {
    if (new ProcessBuilder(argv).inheritIO().start().waitFor() != 0) {
      throw new IOException("failed: " + String.join(" ", argv));
    }
  }

  /** The status, and on further lines what was said. */
  private String run(List<Class<?>> classes) {
    System.setProperty(Lacks.ASKED, String.join(",", asked));
    Need.lookAgain();
    LauncherFactory.create().execute(request(classes), this);
    for (String id : asked) {
      if (Need.of(id).lack().isEmpty()) {
        say("WRONG: " + id + " is still there");
      }
    }
    return "%d%n%s%d skipped, %d wrong%n".formatted(skipped > 0 && wrong == 0 ? 0 : 1, said, skipped, wrong);
  }

  private LauncherDiscoveryRequest request(List<Class<?>> classes) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(classes.stream().filter(this::concerned).map(DiscoverySelectors::selectClass).toList())
        .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(concerned(test)))
        .build();
  }

  private boolean concerned(Class<?> type) {
    return parts(type).anyMatch(this::annotated);
  }

  /** Looked for once, as there are a hundred times as many classes that need nothing. */
  private static boolean needsAnything(Class<?> type) {
    return parts(type).anyMatch(part -> AnnotationSupport.isAnnotated(part, Needs.class));
  }

  private static Stream<AnnotatedElement> parts(Class<?> type) {
    return Stream.concat(Stream.of(type), Stream.of(type.getDeclaredMethods()));
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

  private synchronized void say(String line) {
    if (line.startsWith("WRONG")) {
      wrong++;
    } else {
      skipped++;
    }
    said.append(line).append('\n');
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

  /**
   * Whether a test may run although programs are hidden: its class has invocations that say themselves what they need, and some
   * need none of those programs.
   */
  private static boolean mayRun(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(source -> AnnotationSupport.findAnnotation(((MethodSource) source).getJavaClass(), Needs.class))
        .flatMap(needs -> needs)
        .filter(Needs::more)
        .isPresent();
  }
}
