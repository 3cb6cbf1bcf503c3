package echoladder.harness.lab;

/**
 * Memory mappings that the process behind one process of a guest takes of this host: one for each page of memory whose
 * neighbours in the guest are another's. Pure.
 */
public final class Mappings {
  private static final int PAGE_BYTES = 4096;

  /** A guest whose use is not known: one process is taken to have a sixteenth of its memory in such pages. */
  private static final int SHARE = 16;

  private Mappings() {}

  /** For connections that one process holds: twice what was measured, 9,600 and 0.2 for each (docs/decisions/lab.md). */
  public static long of(int connections) {
    return 2L * (9_600 + connections / 5);
  }

  /** For a command of which nothing is known. */
  public static long of(long memoryBytes) {
    return memoryBytes / PAGE_BYTES / SHARE;
  }

  /** All of a guest's memory, page by page. */
  static long atWorst(long memoryBytes) {
    return memoryBytes / PAGE_BYTES;
  }

  static String refusal(String what, long needed, long present) {
    return ("%s in a lab may take %,d memory mappings in one process; vm.max_map_count of this host is %,d, and the process"
            + " that meets it is killed, perhaps an hour from now. Nothing was started. On the host: sudo sysctl -w"
            + " vm.max_map_count=%d; or ./ladder lab --few-mappings ... as it is: runbooks/procedures/use-the-lab.md")
        .formatted(what, needed, present, Math.max(needed, 1_048_576));
  }
}
