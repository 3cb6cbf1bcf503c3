package echoladder.needs;

import java.util.List;

/**
 * A test that was skipped.
 *
 * @param test its class, its method, and which invocation of that
 * @param reason what it lacks and how to get that
 */
record Skip(String test, String reason) {
  /** Where they are written, in the folder of a module. */
  static final String FOLDER = "target/skipped";

  static final String ENDING = ".tsv";

  /** As it stands in a file: on one line. */
  String line() {
    return flat(test) + "\t" + flat(reason) + "\n";
  }

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  static Skip parse(String line) {
    List<String> parts = List.of(line.split("\t", 2));
    return new Skip(parts.getFirst(), parts.getLast());
  }

  /** Whether nothing but what may be missing is missing. */
  boolean onlyFor(List<String> ids) {
    List<String> lacking = Need.namedIn(reason);
    return !lacking.isEmpty() && ids.containsAll(lacking);
  }
}
