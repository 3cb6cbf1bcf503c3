package echoladder.harness.results;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Sha256;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What runs, by hashes: of each program the files that its command names (libraries on a class path, a binary), and the JDK
 * behind a java. The same sources and tools give the same files, as the build is reproducible. One thread.
 */
public final class ProgramHashes {
  /** The part of environment.json that has them. */
  public static final String KEY = "code";

  private static final Set<String> CLASS_PATHS = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "-jar");

  /** What a JDK is made of: its release, its classes and its virtual machine. */
  private static final List<String> OF_JDK = List.of("release", "lib/modules", "lib/server/libjvm.so");

  /** 64 bits tell two builds apart; nobody has to be convinced of more. */
  private static final int SHOWN_BYTES = 8;

  /** Beyond it SHA-256 takes a second of a core at each start of a run: a JDK's classes are 140 MB. */
  private static final long LARGE_BYTES = 16 << 20;

  private final Checkout checkout;
  private final Map<String, Map<String, String>> programs = new TreeMap<>();
  private final Map<Path, String> known = new TreeMap<>();

  /** Files of the checkout are named from its root, others by their names alone. */
  public ProgramHashes(Checkout checkout) {
    this.checkout = checkout;
  }

  /**
   * By program, then by file: 16 hexadecimal digits of SHA-256, of a file over 16 MiB CRC-32C and size, or why there is
   * neither.
   */
  public Map<String, Map<String, String>> all() {
    return programs;
  }

  /** Adds what a command runs, under the name of a program that it may add to. */
  public ProgramHashes add(String program, List<String> argv) {
    for (int i = 0; i < argv.size(); i++) {
      boolean classPath = i > 0 && CLASS_PATHS.contains(argv.get(i - 1));
      for (String part : argv.get(i).split("[:=,@]", -1)) {
        if (part.startsWith("/")) {
          part(program, part, classPath);
        }
      }
    }
    return this;
  }

  private void part(String program, String part, boolean classPath) {
    Path path = Path.of(part.endsWith("/*") ? part.substring(0, part.length() - 2) : part);
    if (part.endsWith("/*")) {
      below(path, 1).stream().filter(file -> file.toString().endsWith(".jar")).forEach(jar -> put(program, jar));
    } else if (classPath && Files.isDirectory(path)) {
      programs.computeIfAbsent(program, _ -> new TreeMap<>()).put(name(path) + "/", folder(path));
    } else if (Files.isRegularFile(path)) {
      Path home = home(path);
      if (home == null) {
        put(program, path);
      } else {
        jdk(home);
      }
    }
  }

  /** The JDK that a program is the java of; null where it is none. */
  private static @Nullable Path home(Path program) {
    try {
      Path bin = program.toRealPath().getParent();
      Path home = bin == null ? null : bin.getParent();
      return program.endsWith("java") && home != null && Files.isRegularFile(home.resolve("lib/modules")) ? home : null;
    } catch (IOException e) {
      return null;
    }
  }

  private void jdk(Path home) {
    Map<String, String> files = programs.computeIfAbsent("jdk " + home.getFileName(), _ -> new TreeMap<>());
    OF_JDK.forEach(name -> files.put(name, hash(home.resolve(name))));
  }

  private void put(String program, Path file) {
    programs.computeIfAbsent(program, _ -> new TreeMap<>()).put(name(file), hash(file));
  }

  private String name(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    return absolute.startsWith(checkout.root()) ? checkout.display(absolute) : String.valueOf(absolute.getFileName());
  }

  private String hash(Path file) {
    return known.computeIfAbsent(file.toAbsolutePath().normalize(), ProgramHashes::read);
  }

  private static String read(Path file) {
    try {
      return Files.size(file) > LARGE_BYTES ? large(file) : small(file);
    } catch (IOException e) {
      return "cannot be read: " + ErrorText.of(e);
    }
  }

  private static String small(Path file) throws IOException {
    MessageDigest digest = Sha256.digest();
    digest.update(Files.readAllBytes(file));
    return shown(digest);
  }

  private static String large(Path file) throws IOException {
    CRC32C sum = new CRC32C();
    long bytes = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        sum.update(buffer, 0, n);
        bytes += n;
      }
    }
    return "crc32c %08x of %d bytes".formatted(sum.getValue(), bytes);
  }

  /** The hash of names and contents of all files below a folder. */
  private String folder(Path dir) {
    MessageDigest digest = Sha256.digest();
    for (Path file : below(dir, Integer.MAX_VALUE)) {
      digest.update((dir.relativize(file) + " " + read(file) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return shown(digest);
  }

  private static List<Path> below(Path dir, int depth) {
    try (Stream<Path> files = Files.walk(dir, depth)) {
      return new ArrayList<>(new TreeSet<>(files.filter(Files::isRegularFile).toList()));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String shown(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest(), 0, SHOWN_BYTES);
  }
}
