package echoladder.harness.tune;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.Holes;
import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import echoladder.linux.sockets.NetworkNamespace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/**
 * What settings were before they were changed, and which control groups were made: a header, then a line of JSON per
 * change, in a file that only grows until it is deleted. A line is on the disk before its change is made, so a last line
 * without its end belongs to a change that never was.
 *
 * @param file where it is, or will be
 * @param header what it is bound to
 * @param entries in the order of the changes
 * @param groups folders of control groups, in the order in which they were made
 * @param bytes of the complete lines in the file; 0 = it is not begun
 */
record Journal(Path file, Header header, List<Entry> entries, List<Path> groups, long bytes) {
  private static final int MOST_BYTES = 4 << 20;

  /** The oldest of forms that this program reads. */
  private static final int VERSION = 1;

  /**
   * What a journal is bound to.
   *
   * @param version of the form
   * @param bootId the boot in which it was begun; after another one the old values are nobody's any more
   * @param scope {@code host}, or the network namespace, e.g. {@code net:[4026531840] cookie 1}
   * @param endsWithRun whether that namespace was made for the run, so that it and its settings are gone with the run; null = it
   *     was not
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record Header(
      int version, String bootId, String scope, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean endsWithRun) {}

  /**
   * One change.
   *
   * @param key the setting
   * @param old its value right before
   * @param value what it was to become
   * @param profile whose value that was
   */
  record Entry(String key, String old, String value, String profile) {
    /** Whether it is of that key, and that value is one that the key had before or after it. */
    boolean of(String of, String present) {
      return key.equals(of) && (old.equals(present) || value.equals(present));
    }
  }

  /**
   * A control group that was made.
   *
   * @param group its folder
   */
  private record Made(String group) {}

  Journal {
    entries = List.copyOf(entries);
    groups = List.copyOf(groups);
  }

  /** The journal of a scope in this boot, with no entries where there is no file. */
  static Journal of(Path dir, SysTree tree, Scope scope, JournalName.Whose whose) {
    Path file = dir.resolve(new JournalName(whose, tree.bootId(), JournalName.place(tree, scope)).file());
    String bootId = tree.bootId();
    String name = scope == Scope.HOST ? "host" : tree.network();
    Header expected = new Header(VERSION, bootId, name, (scope == Scope.NETWORK && NetworkNamespace.ofRun()) ? (Boolean) true : null);
    Journal found = read(file);
    if (found == null) {
      return new Journal(file, expected, List.of(), List.of(), 0);
    }
    if (!found.header.equals(expected)) {
      throw Refusal.cannotRun(
          "the journal %s says that it is of boot %s and %s, but this is boot %s and %s; it is not used"
              .formatted(file, found.header.bootId, found.header.scope, bootId, name));
    }
    return found;
  }

  /**
   * Reads a file; null where there is none, or one whose header never got to the disk.
   *
   * @throws Refusal where a complete line is not what this program writes
   */
  static @Nullable Journal read(Path file) {
    try {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        return null;
      }
      StateFolder.refuseForeign(file, false);
      if (Files.size(file) > MOST_BYTES) {
        throw Refusal.cannotRun("the journal " + file + " is larger than 4 MiB; it was not written by this program");
      }
      String text = Files.readString(file);
      String complete = text.substring(0, text.lastIndexOf('\n') + 1);
      List<String> lines = complete.lines().toList();
      if (lines.isEmpty()) {
        return null;
      }
      List<Entry> entries = new ArrayList<>();
      List<Path> groups = new ArrayList<>();
      for (String line : lines.subList(1, lines.size())) {
        if (line.startsWith("{\"group\":")) {
          groups.add(Path.of(read(line, Made.class).group));
        } else {
          entries.add(read(line, Entry.class));
        }
      }
      Header header = read(lines.getFirst(), Header.class);
      return new Journal(file, header, entries, groups, complete.getBytes(StandardCharsets.UTF_8).length);
    } catch (IOException | JacksonException | IllegalArgumentException e) {
      throw Refusal.cannotRun(
          "the journal " + file + " cannot be read: " + ErrorText.of(e) + "; what it says of old values is not used");
    }
  }

  private static <T extends Record> T read(String line, Class<T> type) {
    @Nullable T read = JsonMapper.shared().readValue(line, type);
    String hole = read == null ? "all of it" : Holes.first(read);
    if (read == null || hole != null) {
      throw new IllegalArgumentException("a line lacks " + hole);
    }
    return read;
  }

  /** What each key was before the first change, in the order of the first changes. */
  Map<String, String> oldest() {
    Map<String, String> oldest = new LinkedHashMap<>();
    entries.forEach(entry -> oldest.putIfAbsent(entry.key, entry.old));
    return oldest;
  }

  /** What each key was last set to. */
  Map<String, String> latest() {
    Map<String, String> latest = new LinkedHashMap<>();
    entries.forEach(entry -> latest.put(entry.key, entry.value));
    return latest;
  }

  /** Adds a change; it is on the disk when this returns. */
  Journal with(Entry entry) throws IOException {
    List<Entry> all = new ArrayList<>(entries);
    all.add(entry);
    return new Journal(file, header, all, groups, append(entry));
  }

  /** Adds a control group that is about to be made; it is on the disk when this returns. */
  Journal with(Path group) throws IOException {
    List<Path> all = new ArrayList<>(groups);
    all.add(group);
    return new Journal(file, header, entries, all, append(new Made(group.toString())));
  }

  private long append(Record line) throws IOException {
    String added = (bytes == 0 ? line(header) : "") + line(line);
    ByteBuffer rest = ByteBuffer.wrap(added.getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel = StateFolder.open(file)) {
      // What stands there beyond the complete lines is the beginning of one whose change never was.
      channel.truncate(bytes).position(bytes);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
    if (bytes == 0) {
      sync(file);
    }
    return bytes + rest.capacity();
  }

  /** Deletes the file. */
  void forget() throws IOException {
    if (Files.deleteIfExists(file)) {
      sync(file);
    }
  }

  private static String line(Record of) {
    return JsonMapper.shared().writeValueAsString(of) + "\n";
  }

  /** Makes the coming or going of a file last. */
  private static void sync(Path file) throws IOException {
    try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
