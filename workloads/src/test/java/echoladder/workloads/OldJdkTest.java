package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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

  @ParameterizedTest
  @ValueSource(classes = {CommandLine.class, Histogram.class, JsonMapper.class, JsonGenerator.class, AsyncProfiler.class})
  void soAreItsLibraries(Class<?> library) throws Exception {
    String resource = "/" + library.getName().replace('.', '/') + ".class";
    assertThat(release(Objects.requireNonNull(library.getResourceAsStream(resource)))).isLessThanOrEqualTo(21);
  }
}
