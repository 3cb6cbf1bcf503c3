import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Writes the licences of all that is in a release and not of this project into one file: those of Go and its modules, of the Java
 * libraries, and of the Java runtime. A text that several have stands there once. It fails where a library has no licence in its
 * jar and LICENCES.md names none. gather-licences.sh runs it: java Licences.java TREE GO-LICENCES
 */
final class Licences {
  private static final Pattern IN_JAR =
      Pattern.compile("(?:META-INF/(?:.*/)?)?(?:LICEN[CS]E|NOTICE|COPYING|COPYRIGHT)[^/]*", Pattern.CASE_INSENSITIVE);

  /** As LICENCES.md names libraries: by the beginning of the name of the jar. */
  private static final Pattern NAMED = Pattern.compile("`([A-Za-z0-9.-]+-)`");

  /** What Maven leaves in the jars of this project. */
  private static final String OWN = "META-INF/maven/io.github.echo-ladder/";

  private final StringBuilder text = new StringBuilder();
  private final Map<String, String> seen = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    Path tree = Path.of(arguments[0]);
    Licences licences = new Licences();
    licences.write(tree, Path.of(arguments[1]));
    Files.writeString(tree.resolve("THIRD-PARTY-LICENCES.txt"), licences.text);
  }

  private void write(Path tree, Path go) throws Exception {
    String page = Files.readString(tree.resolve("deploy/LICENCES.md"));
    text.append(page).append('\n');
    for (Path file : below(go, "")) {
      add("Go: " + go.relativize(file), Files.readAllBytes(file));
    }
    List<String> without = new ArrayList<>();
    for (Path jar : libraries(tree).values()) {
      if (!fromJar(jar) && !named(page, jar)) {
        without.add(jar.getFileName().toString());
      }
    }
    Path legal = tree.resolve("runtime/legal");
    for (Path file : below(legal, "")) {
      if (!Files.isSymbolicLink(file)) {
        add("Java runtime: " + legal.relativize(file), Files.readAllBytes(file));
      }
    }
    if (!without.isEmpty()) {
      throw new IllegalStateException(
          "no licence is known of " + String.join(", ", without) + ": their jars have none; find it, and name them in deploy/LICENCES.md");
    }
  }

  private static List<Path> below(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(ending)).sorted().toList();
    }
  }

  /** By the names of their files, as several programs have the same; the Java runtime has its licences in a folder. */
  private static Map<String, Path> libraries(Path tree) throws IOException {
    Map<String, Path> jars = new TreeMap<>();
    below(tree, ".jar").stream().filter(jar -> !jar.startsWith(tree.resolve("runtime"))).forEach(jar -> jars.put(jar.getFileName().toString(), jar));
    return jars;
  }

  /** Whether the jar has a licence, or is of this project. */
  private boolean fromJar(Path jar) throws IOException, NoSuchAlgorithmException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      boolean any = zip.stream().anyMatch(entry -> entry.getName().startsWith(OWN));
      for (ZipEntry entry : zip.stream().filter(entry -> !entry.isDirectory() && IN_JAR.matcher(entry.getName()).matches() && !entry.getName().endsWith(".class")).toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          add(jar.getFileName() + ": " + entry.getName(), in.readAllBytes());
        }
        any |= !entry.getName().toUpperCase().contains("NOTICE");
      }
      return any;
    }
  }

  private static boolean named(String page, Path jar) {
    Matcher prefix = NAMED.matcher(page);
    return prefix.results().anyMatch(of -> jar.getFileName().toString().startsWith(of.group(1)));
  }

  private void add(String whose, byte[] bytes) throws NoSuchAlgorithmException {
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    String before = seen.putIfAbsent(hash, whose);
    text.append("\n").append("=".repeat(100)).append('\n').append(whose).append('\n');
    if (before != null) {
      text.append("The same text as of ").append(before).append('\n');
    } else {
      text.append("=".repeat(100)).append("\n\n").append(new String(bytes, StandardCharsets.UTF_8).strip()).append('\n');
    }
  }
}
