package echoladder.harness.doctor;

import static echoladder.harness.doctor.Limit.count;

import echoladder.harness.limits.KnownLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory of idle connections, and what may refuse it. */
public final class MemoryLimits {
  /** Kernel memory of one idle end: socket, inode, dentry, file, epoll item, by slabinfo (docs/METHOD.md). */
  public static final long KERNEL_PER_END_BYTES = 4_096;

  /** Kernel memory of a thread at the least: its stack of 16 KiB, task_struct and what hangs on it. */
  static final long KERNEL_PER_THREAD_BYTES = 23 << 10;

  /** Arrays of the client per connection, rounded up. */
  static final long CLIENT_BYTES = 256;

  /** Runtimes and harness before the first connection. */
  static final long FIXED_BYTES = 512L << 20;

  /** The default of platform-threads' --stack-bytes; reserved when a thread starts, which is what mode 2 counts. */
  private static final long STACK_BYTES = 256L << 10;

  private MemoryLimits() {}

  static List<Row> rows(Question question, HostFacts host) {
    List<Row> rows = new ArrayList<>();
    rows.add(
        of(
            question,
            Limit.of(host, KnownLimit.MEMORY)
                .present(host.memoryAvailableBytes())
                .note("present: MemAvailable; swap does not count"),
            host.memoryAvailableBytes(),
            "memory available, " + mib(host.memoryAvailableBytes()) + ", is what the host has"));
    CgroupLimit group = host.memory();
    Limit limit = Limit.of(host, KnownLimit.CGROUP_MEMORY);
    rows.add(
        group == null
            ? limit.notHere("no memory limit of a cgroup binds this process")
            : of(
                question,
                limit
                    .present(group.left())
                    .lift(
                        "echo %d > %s".formatted(group.used() + bytes(question), group.file()),
                        group.writable(),
                        "the cgroup's memory limit, " + mib(group.most()) + ", cannot be raised from inside"),
                group.left(),
                null));
    rows.add(overcommit(question, host));
    return rows;
  }

  /** A row about the whole need; {@code inTheWay} where no command lifts the limit. */
  private static Row of(Question question, Limit limit, @Nullable Long left, @Nullable String inTheWay) {
    Long server = question.server().bytesPerConnection();
    limit.needs(bytes(question), arithmetic(question)).allows(left == null ? null : (Long) ((left - FIXED_BYTES) / each(question)));
    if (inTheWay != null) {
      limit.lift("# more memory, or a smaller N", false, inTheWay);
    }
    if (!question.role().server || server != null) {
      if (server != null) {
        String plain = question.tls() == ClientTls.PLAIN ? ": " : ", which is of plain connections: ";
        limit.note("the server's figure" + plain + question.server().bytesSource());
      }
      return limit.row();
    }
    String name = question.server().name();
    String unknown =
        "the server's own bytes per connection are unknown and not in it: "
            + (name == null ? "give --server NAME" : name + "'s server.yaml declares no bytes_per_connection");
    Row lowest = limit.row();
    // Where even this lower bound does not fit, nothing more need be known.
    return lowest.answer() == Row.Answer.OK ? limit.unknown(unknown) : lowest;
  }

  /** User and kernel memory on this host per connection, as far as known. */
  static long each(Question question) {
    return kernelEach(question) + userEach(question);
  }

  private static long kernelEach(Question question) {
    long threads = question.role().server ? question.server().threadsPerConnection() : 0;
    return question.role().ends * KERNEL_PER_END_BYTES + threads * KERNEL_PER_THREAD_BYTES;
  }

  private static long userEach(Question question) {
    Long server = question.server().bytesPerConnection();
    return clientEach(question)
        + (question.role().server && server != null ? server : 0);
  }

  private static long clientEach(Question question) {
    if (!question.role().client) {
      return 0;
    }
    return CLIENT_BYTES + question.tls().bytes();
  }

  static long bytes(Question question) {
    return FIXED_BYTES + question.connections() * each(question);
  }

  private static String arithmetic(Question question) {
    Long server = question.server().bytesPerConnection();
    return "N x (%d x %,d in the kernel%s%s%s) + %d MiB for the processes"
        .formatted(
            question.role().ends,
            KERNEL_PER_END_BYTES,
            question.threads() > 0
                ? " + %d x %,d for threads".formatted(question.server().threadsPerConnection(), KERNEL_PER_THREAD_BYTES)
                : "",
            question.role().client ? " + %,d in the client".formatted(clientEach(question)) : "",
            question.role().server && server != null ? " + %,d in the server".formatted(server) : "",
            FIXED_BYTES >> 20);
  }

  private static Row overcommit(Question question, HostFacts host) {
    Limit limit = Limit.of(host, KnownLimit.OVERCOMMIT);
    Long mode = host.number("vm.overcommit_memory");
    if (mode == null || mode != 2) {
      return limit.notHere("mode " + count(mode) + ": reserved memory is not counted strictly, as mode 2 would");
    }
    long threads = question.role().server ? question.server().threadsPerConnection() : 0;
    long reservedEach = userEach(question) + threads * STACK_BYTES;
    long needed = FIXED_BYTES + question.connections() * reservedEach;
    long each = Math.max(1, reservedEach);
    Long left = host.commitLeftBytes();
    return limit
        .present(left)
        .needs(needed, "memory of the processes + T x 256 KiB of stack")
        .note("present: CommitLimit - Committed_AS, as in mode 2 memory counts when it is reserved")
        .allows(left == null ? null : (Long) ((left - FIXED_BYTES) / each))
        .lift(
            "sysctl -w vm.overcommit_memory=0",
            host.writable().contains("vm.overcommit_memory"),
            Limit.notWritable("vm.overcommit_memory", "2"))
        .row();
  }

  static String mib(@Nullable Long bytes) {
    return bytes == null ? "-" : count(bytes >> 20) + " MiB";
  }
}
