package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.ControlGroups;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import one.profiler.AsyncProfiler;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** All of it starts on JDK 21, but the one class that calls C; that it uses no later API is the compiler's --release. */
class OldJdkTest {
  /** Class files of JDK 21 have version 65. */
  private static final int OFFSET = 44;

  private static int release(InputStream classFile) throws IOException {
    try (DataInputStream in = new DataInputStream(classFile)) {
      assertThat(in.readInt()).isEqualTo(0xCAFEBABE);
      assertThat(in.readUnsignedShort()).as("a class that needs --enable-preview").isZero();
      return in.readUnsignedShort() - OFFSET;
    }
  }

  @Test
  void itsOwnClassesAreThoseOf21() throws Exception {
    Path classes = Path.of(Pinning.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> all = Files.walk(classes)) {
      List<Path> files = all.filter(file -> file.toString().endsWith(".class")).toList();
      assertThat(files).hasSizeGreaterThan(20);
      for (Path file : files) {
        boolean callsC = Objects.requireNonNull(file.getFileName()).toString().startsWith("NativeFrame");
        assertThat(release(Files.newInputStream(file))).as(file.toString()).isEqualTo(callsC ? 22 : 21);
      }
    }
  }

  @Test
  void soIsWhatItUsesOfOtherModules() throws Exception {
    Path classes = Path.of(Pinning.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Deque<String> unread = new ArrayDeque<>();
    try (Stream<Path> all = Files.walk(classes)) {
      for (Path file : all.filter(file -> file.toString().endsWith(".class")).toList()) {
        unread.addAll(othersUsedBy(Files.readAllBytes(file)));
      }
    }
    Set<String> read = new TreeSet<>();
    while (!unread.isEmpty()) {
      String name = unread.remove();
      if (read.add(name)) {
        byte[] classFile = bytes(name);
        assertThat(release(new ByteArrayInputStream(classFile))).as(name).isLessThanOrEqualTo(21);
        unread.addAll(othersUsedBy(classFile));
      }
    }
    assertThat(read).contains(ControlGroups.class.getName().replace('.', '/'));
  }

  /** The classes of this project's other modules that a class file names. */
  private static Set<String> othersUsedBy(byte[] classFile) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : ClassFile.of().parse(classFile).constantPool()) {
      if (entry instanceof ClassEntry named
          && named.asInternalName().startsWith("echoladder/")
          && !named.asInternalName().startsWith("echoladder/workloads/")) {
        names.add(named.asInternalName());
      }
    }
    return names;
  }

  private static byte[] bytes(String name) throws IOException {
    try (InputStream in = Pinning.class.getResourceAsStream("/" + name + ".class")) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {CommandLine.class, Histogram.class, JsonMapper.class, JsonGenerator.class, AsyncProfiler.class})
  void soAreItsLibraries(Class<?> library) throws Exception {
    String resource = "/" + library.getName().replace('.', '/') + ".class";
    assertThat(release(Objects.requireNonNull(library.getResourceAsStream(resource)))).isLessThanOrEqualTo(21);
  }
}
