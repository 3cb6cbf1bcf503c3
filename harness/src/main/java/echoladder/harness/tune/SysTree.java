package echoladder.harness.tune;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import echoladder.linux.ProcSys;
import echoladder.linux.sockets.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's settings as files, and which boot and network namespace they belong to.
 *
 * @param root {@code /proc/sys}, or a folder of the same form
 * @param network the network namespace, e.g. {@code net:[4026531840] cookie 1}: the number alone goes over to a later
 *     namespace when this one is gone
 */
public record SysTree(Path root, String network) {
  /** Where the kernel shows its own. */
  static final Path KERNELS = Path.of("/proc/sys");

  private static final Pattern KEY = Pattern.compile("\\w[\\w-]*([./]\\w[\\w-]*)+");

  /** That of this process. */
  public static SysTree own() {
    return at(KERNELS);
  }

  /** Another folder, in the network namespace of this process. */
  public static SysTree at(Path root) {
    try {
      return new SysTree(root, NetworkNamespace.own());
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot tell this process's network namespace: " + ErrorText.of(e));
    }
  }

  /** Random at each start of the kernel. */
  public String bootId() {
    try {
      String id = read("kernel.random.boot_id");
      if (id != null && id.matches("[0-9a-f-]{1,64}")) {
        return id;
      }
      throw Refusal.cannotRun("cannot tell which boot this is: kernel.random.boot_id is " + id);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot tell which boot this is: " + ErrorText.of(e));
    }
  }

  /** The value, normalised; null where this kernel, or this namespace, has no such key. */
  public @Nullable String read(String key) throws IOException {
    Path file = file(key);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    return Values.normal(key, ProcSys.read(file));
  }

  /** Sets a key that exists. */
  public void write(String key, String value) throws IOException {
    ProcSys.write(file(key), value);
  }

  /** Writes and reads back, as a kernel may take another value than it was given. */
  void set(String key, String value) throws IOException {
    write(key, value);
    String taken = read(key);
    if (!value.equals(taken)) {
      throw new IOException("it reads '%s' after '%s' was written".formatted(Values.brief(taken), Values.brief(value)));
    }
  }

  /**
   * Where a key is.
   *
   * @throws Refusal (cannot run) where that is not below the root: a key may come from a study or a journal
   */
  private Path file(String key) {
    if (!isKey(key)) {
      throw Refusal.cannotRun("'" + key + "' is no name of a kernel setting; nothing was read or written for it");
    }
    Path file = root.resolve(key.replace('.', '/'));
    for (Path at = file; !at.equals(root); at = Objects.requireNonNull(at.getParent())) {
      if (Files.isSymbolicLink(at)) {
        throw Refusal.cannotRun(at + " is a link, which no kernel setting is; nothing was read or written for " + key);
      }
    }
    return file;
  }

  /** Whether a text is in the form of a key, e.g. {@code net.core.somaxconn}; none of these leads out of the root. */
  public static boolean isKey(String text) {
    return KEY.matcher(text).matches();
  }
}
