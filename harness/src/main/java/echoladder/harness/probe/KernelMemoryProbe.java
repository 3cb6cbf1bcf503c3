package echoladder.harness.probe;

import echoladder.harness.common.ProcText;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Kernel memory. What sockets queue is in /proc/net/sockstat, what they are in /proc/slabinfo, which only root may read.
 * All slab memory, the kernel's stacks of threads and the page tables are in /proc/meminfo. All of it belongs to the host,
 * not to one process; on loopback both ends are in it.
 *
 * @param slab whether it reads slabinfo too, for which the kernel walks every cache under a lock
 */
record KernelMemoryProbe(boolean slab) implements Probe {
  private static final long PAGE_BYTES = 4_096;

  /** The caches one more TCP connection takes objects of; see docs/METHOD.md. */
  static final Set<String> CACHES =
      Set.of("TCP", "sock_inode_cache", "dentry", "filp", "eventpoll_epi", "eventpoll_pwq", "lsm_file_cache");

  @Override
  public void sample(Reading into) {
    if (slab) {
      slab(ProcText.lines("/proc/slabinfo"), into);
      return;
    }
    for (String line : ProcText.lines("/proc/net/sockstat")) {
      if (line.startsWith("TCP:")) {
        word(line, "inuse").ifPresent(n -> into.put(Figure.TCP_SOCKETS, n));
        word(line, "mem").ifPresent(pages -> into.put(Figure.TCP_BUFFERS_BYTES, pages * PAGE_BYTES));
      }
    }
    List<String> memory = ProcText.lines("/proc/meminfo");
    meminfo(memory, into);
    ProcText.number(memory, "Committed_AS:").ifPresent(kib -> into.put(Figure.HOST_COMMITTED_BYTES, kib << 10));
  }

  /** Each part where this kernel shows it. */
  static void meminfo(List<String> memory, Reading into) {
    ProcText.number(memory, "Slab:").ifPresent(kib -> into.put(Figure.HOST_SLAB_BYTES, kib << 10));
    ProcText.number(memory, "KernelStack:").ifPresent(kib -> into.put(Figure.HOST_KERNEL_STACK_BYTES, kib << 10));
    ProcText.number(memory, "PageTables:")
        .ifPresent(
            kib -> into.put(Figure.HOST_PAGE_TABLE_BYTES, (kib + ProcText.number(memory, "SecPageTables:").orElse(0)) << 10));
  }

  /** Active objects times their size, of the caches that connections use; nothing where the file cannot be read. */
  static void slab(List<String> slabinfo, Reading into) {
    long bytes = 0;
    boolean any = false;
    for (String line : slabinfo) {
      String[] words = line.split("\\s+", 5);
      if (words.length == 5 && CACHES.contains(words[0])) {
        bytes += Long.parseLong(words[1]) * Long.parseLong(words[3]);
        any = true;
      }
    }
    if (any) {
      into.put(Figure.SOCKET_SLAB_BYTES, bytes);
    }
  }

  /** The number after that word. */
  static OptionalLong word(String line, String key) {
    String[] words = line.split(" ", -1);
    for (int i = 1; i + 1 < words.length; i += 2) {
      if (words[i].equals(key)) {
        return OptionalLong.of(Long.parseLong(words[i + 1]));
      }
    }
    return OptionalLong.empty();
  }
}
