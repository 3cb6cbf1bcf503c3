package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * How the programs of workloads/ and go-echo/cmd/ are started.
 *
 * @param memoryBytes what each may hold
 * @param timeNs how long each may take
 * @param jdks where steps that ask for another JDK find it
 */
record Workloads(Checkout checkout, long memoryBytes, long timeNs, Jdks jdks) {
  /** The heap's part of the memory limit: the rest is for the JVM itself, its threads' stacks and the collector's books. */
  private static final double HEAP_SHARE = 0.85;

  /** In a class file the major version, of which JDK 25 writes 69. */
  private static final int MAJOR_AT = 6;
  private static final int MAJOR_OF_JDK_0 = 44;

  /** A step's command, without what puts it into a control group. */
  List<String> command(Claim.Step step, Effort effort) {
    List<String> command = new ArrayList<>();
    if (step.language() == Claim.Language.JAVA) {
      command.add(java(step).toString());
      command.add("-Xmx" + ((long) (memoryBytes * HEAP_SHARE) >> 20) + "m");
      command.add("--enable-native-access=ALL-UNNAMED");
      command.addAll(step.jvm());
      command.add("-cp");
      command.add(lib() + "/*");
      command.add("echoladder.workloads." + className(step.workload()));
    } else {
      command.add(program(step.workload()).toString());
    }
    command.addAll(step.args().getOrDefault(effort, List.of()));
    command.add("--memory-limit");
    command.add((memoryBytes >> 20) + "M");
    command.add("--time-limit");
    command.add(timeNs / 1_000_000_000 + "s");
    return command;
  }

  private Path java(Claim.Step step) {
    if (step.jdk() == null) {
      return Jdks.java();
    }
    Path home = jdks.find(step.jdk());
    if (home == null) {
      throw Refusal.cannotRun("step %s: there is no JDK %d in %s".formatted(step.name(), step.jdk(), jdks.places()));
    }
    return Jdks.java(home.toString());
  }

  /** Why a step cannot run on the JDK that it asks for; null where it can. */
  @Nullable String unfit(Claim.Step step) {
    Integer jdk = step.jdk();
    Path home = jdk == null ? null : jdks.find(jdk);
    if (jdk == null || home == null) {
      return null;
    }
    Integer compiled = release(className(step.workload()), jdk);
    return compiled == null || compiled <= jdk
        ? null
        : "JDK %d is in %s, but the workload %s is compiled for JDK %d".formatted(jdk, home, step.workload(), compiled);
  }

  /** The feature release that a workload's class needs at least, as that JDK would see it; null where it is not found. */
  private @Nullable Integer release(String className, int jdk) {
    String entry = "echoladder/workloads/" + className + ".class";
    try (Stream<Path> jars = Files.list(lib())) {
      for (Path path : jars.filter(p -> p.toString().endsWith(".jar")).toList()) {
        Runtime.Version version = Runtime.Version.parse(Integer.toString(jdk));
        try (JarFile jar = new JarFile(path.toFile(), false, ZipFile.OPEN_READ, version)) {
          JarEntry found = jar.getJarEntry(entry);
          if (found != null) {
            try (DataInputStream in = new DataInputStream(jar.getInputStream(found))) {
              in.skipNBytes(MAJOR_AT);
              return in.readUnsignedShort() - MAJOR_OF_JDK_0;
            }
          }
        }
      }
      return null;
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot look into " + lib() + ": " + ErrorText.of(e));
    }
  }

  /** A command as a reader of the checkout would type it: nothing of where that lies on this host. */
  List<String> shown(Claim.Step step, List<String> command) {
    String own = Jdks.java().toString();
    Stream<String> env = step.env().entrySet().stream().map(variable -> variable.getKey() + "=" + variable.getValue());
    return Stream.concat(
            env, command.stream().map(word -> word.equals(own) ? "java" : word.startsWith("/") ? checkout.display(Path.of(word)) : word))
        .toList();
  }

  private Path lib() {
    return checkout.root().resolve("workloads/target/lib");
  }

  private Path program(String workload) {
    return checkout.root().resolve("go-echo/target").resolve(workload);
  }

  /** {@code thread-ramp} is ThreadRamp. */
  static String className(String workload) {
    StringBuilder name = new StringBuilder();
    for (String part : workload.split("-", -1)) {
      name.append(part.substring(0, 1).toUpperCase(Locale.ROOT)).append(part.substring(1));
    }
    return name.toString();
  }
}
