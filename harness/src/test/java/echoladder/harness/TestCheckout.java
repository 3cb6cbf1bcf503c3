package echoladder.harness;

import echoladder.harness.common.Checkout;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** A checkout in a temporary folder, with servers that misbehave as told. */
public final class TestCheckout {
  /** A study of one rung of {@code fake}, named s. */
  public static final String STUDY =
      """
      name: s
      question: What does this study ask, exactly?
      servers: [fake]
      rungs: [2]
      repeats: 1
      load: {rate: {total: 100/s}}
      phases: {steady: 1s}
      """;

  private final Checkout checkout;

  /** Creates studies/ and one server, {@code fake}, in an empty folder. */
  public TestCheckout(Path root) {
    this.checkout = new Checkout(root);
    folder(root.resolve("studies"));
    server("fake", "contender");
  }

  private static Path folder(Path dir) {
    try {
      return Files.createDirectories(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a {@link FakeServer} of that name. */
  public TestCheckout server(String name, String role) {
    return server(name, role, "tcp");
  }

  /** Adds one that says it speaks that protocol. */
  public TestCheckout server(String name, String role, String protocol) {
    return server(name, role, protocol, "jvm");
  }

  /** Adds a contender that says it has no managed runtime. */
  public TestCheckout unmanaged(String name) {
    return server(name, "contender", "tcp", "native");
  }

  private TestCheckout server(String name, String role, String protocol, String runtime) {
    String classes = System.getProperty("java.class.path");
    return write(
        "servers/" + name + "/server.yaml",
        """
        name: %s
        title: The %s server
        protocol: %s
        role: %s
        runtime: %s
        command: ["{java}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", "%s", "echoladder.harness.FakeServer"]
        options:
          behaviour:
            default: good
            values: [good, silent, exits, babbles, stays-silent-on-echo, wrong-echo, dies, dies-slowly, no-metrics, no-gc, ignores-sigterm, endless-line, endless-log, odd-log, foreign-pid, blank-host, deaf-to-stdin, bounded]
            why: "how it misbehaves"
          level: {default: 3, min: 0, max: 9, why: "a number"}
        """
            .formatted(name, name, protocol, role, runtime, classes));
  }

  /** Adds a study under studies/. */
  public TestCheckout study(String name, String yaml) {
    return write("studies/" + name + "/study.yaml", yaml);
  }

  /** Writes a file. */
  public TestCheckout write(String path, String text) {
    Path file = checkout.root().resolve(path);
    folder(Objects.requireNonNull(file.getParent()));
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** The checkout. */
  public Checkout checkout() {
    return checkout;
  }

  /** Its servers. */
  public Map<String, ServerManifest> servers() {
    return ServerManifest.all(checkout);
  }
}
