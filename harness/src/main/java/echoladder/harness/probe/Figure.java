package echoladder.harness.probe;

import java.util.Locale;

/**
 * Everything a probe can read, in the order of the columns of samples.csv. Totals are since the start of what they
 * belong to, so that differences of two samples mean something. Of a server of the user's own, what is of the server process is of
 * all its processes together.
 */
public enum Figure {
  /** CPU of the server process, user and system. */
  SERVER_CPU_NS,
  /** CPU of all client processes. */
  CLIENT_CPU_NS,
  /** Resident memory of the server process. */
  SERVER_RSS_BYTES,
  /** Resident memory of all client processes. */
  CLIENT_RSS_BYTES,
  /** Threads of the server process. */
  SERVER_THREADS,
  /** Switches of the server's living threads that waited; only where they are few enough to be asked. */
  SERVER_VOLUNTARY_SWITCHES,
  /** Switches of the server's living threads that were preempted; only where they are few enough to be asked. */
  SERVER_INVOLUNTARY_SWITCHES,
  /** Moves of the server's living threads from one processor to another; likewise. */
  SERVER_MIGRATIONS,
  /** Context switches of the whole host. */
  HOST_CONTEXT_SWITCHES,
  /** CPU time of the whole host, idle included: processors times wall clock. */
  HOST_CPU_NS,
  /** CPU time of the whole host in which it was idle or waited for a disk. */
  HOST_IDLE_NS,
  /** CPU time of the whole host that the hypervisor took for others. */
  HOST_STEAL_NS,
  /** TCP sockets in use in this network namespace, both ends of a loopback connection and others' too. */
  TCP_SOCKETS,
  /** Memory charged to TCP send and receive queues, of the whole host. */
  TCP_BUFFERS_BYTES,
  /** Kernel objects of sockets (sock, inode, dentry, file, epoll), of the whole host. */
  SOCKET_SLAB_BYTES,
  /** Slab memory of any kind, of the whole host. */
  HOST_SLAB_BYTES,
  /** Stacks of threads in the kernel, of the whole host. */
  HOST_KERNEL_STACK_BYTES,
  /** Page tables of all processes of the host. */
  HOST_PAGE_TABLE_BYTES,
  /** Memory that processes of the host may still ask for, Committed_AS: bounded where vm.overcommit_memory is 2. */
  HOST_COMMITTED_BYTES,
  /** Threads and processes on the host. */
  HOST_TASKS(Tells.USED_UP),
  /** Open files of the host, as fs.file-max counts them. */
  HOST_OPEN_FILES(Tells.USED_UP),
  /** TCP sockets of the host that no process has any more and whose peer has not acknowledged their end. */
  TCP_ORPHANS(Tells.LEFT_OVER),
  /** TCP sockets of this network namespace in TIME-WAIT. */
  TCP_TIME_WAIT,
  /** Handshakes that found an accept queue full. */
  LISTEN_OVERFLOWS(Tells.REFUSED),
  /** Handshakes that were dropped, for that or another reason. */
  LISTEN_DROPS,
  /** SYNs that found the queue of handshakes full: dropped, or answered by a cookie. */
  SYN_QUEUE_FULL(Tells.REFUSED),
  /** SYNs that were sent again, and their answers: connects that took a second longer, or more. */
  SYN_RETRANSMITS,
  /** Sockets that skipped TIME-WAIT, as there were too many. */
  TCP_TIME_WAIT_OVERFLOWS(Tells.REFUSED),
  /** Times that TCP entered memory pressure. */
  TCP_MEMORY_PRESSURES(Tells.REFUSED),
  /** Sockets reset for want of memory, or as too many were orphans. */
  TCP_MEMORY_ABORTS(Tells.REFUSED),
  /** Times that a socket's receive queue was pruned for want of memory. */
  TCP_PRUNES(Tells.REFUSED),
  /** Segments dropped for want of memory in a receive queue. */
  TCP_RECEIVE_DROPS(Tells.REFUSED),
  /** Segments of established connections that were sent again. */
  TCP_RETRANSMITS,
  /** Small writes that waited for more, as a packet of their connection was still in the queue of a device. */
  TCP_AUTOCORKINGS,
  /** Packets that a waiting process polled from a device by itself. */
  BUSY_POLL_PACKETS,
  /** Packets dropped between a device and the stack. */
  SOFTNET_DROPS(Tells.REFUSED),
  /** Packets that another processor than their sender's took over, by receive packet steering. */
  SOFTNET_STEERED,
  /** Packets taken in from a device. */
  SOFTNET_PACKETS,
  /** Page faults of the whole host, minor and major. */
  HOST_PAGE_FAULTS,
  /** Packets that went over the network of the run, in both directions, each after its delay. */
  NETWORK_PACKETS,
  /** Packets that the network of the run lost, in both directions: as its netem was told, or as its queue was full. */
  NETWORK_DROPS,
  /** Huge pages that processes of the whole host got when they first touched memory. */
  HOST_HUGE_PAGE_FAULTS,
  /** Processes of the whole host that the kernel killed for want of memory, in whatever control group. */
  HOST_OOM_KILLS(Tells.REFUSED),
  /** Processes killed for want of memory in the server's control group. */
  CGROUP_OOM_KILLS(Tells.REFUSED),
  /** Times that the server's control group was at its memory limit. */
  CGROUP_MEMORY_REFUSALS(Tells.REFUSED),
  /** Tasks that the server's control group refused. */
  CGROUP_TASK_REFUSALS(Tells.REFUSED),
  /** Memory mappings of the server process, at the end of a load while its connections are held. */
  SERVER_MAPS(Tells.USED_UP),
  /** Open descriptors of a server that has no page to tell of itself, likewise. */
  SERVER_DESCRIPTORS,
  /** Connections that the server says are open. */
  ECHO_CONNECTIONS_OPEN,
  /** Connections that the server says it accepted. */
  ECHO_CONNECTIONS_ACCEPTED,
  /** Bytes that the server says it received. */
  ECHO_RECEIVED_BYTES,
  /** Bytes that the server says it sent. */
  ECHO_SENT_BYTES,
  /** Accepts that the server says failed. */
  ECHO_ACCEPT_ERRORS,
  /** Collections of the server's runtime. */
  SERVER_GC_COUNT,
  /** Pauses of the server's collector together. */
  SERVER_GC_PAUSE_NS,
  /** Time that the server's JIT compilers have been busy so far; only of a runtime that has some. */
  SERVER_COMPILER_NS,
  /** Memory that the server's threads have allocated on its heap so far; only where its page tells. */
  SERVER_ALLOCATED_BYTES,
  /** The longest hiccup of the server since the sample before. */
  SERVER_HICCUP_MAX_NS,
  /** CPU of the server's hiccup meter, which is in the server's CPU; only where the server can tell. */
  SERVER_HICCUP_METER_CPU_NS,
  /** Users of a staged load, as planned for the client's last full second. */
  CLIENT_USERS,
  /** Right answers per second over the client's last full second. */
  CLIENT_ACHIEVED_PER_S,
  /** Median of the times recorded in that second: response times, of a closed loop service times. */
  CLIENT_TIME_P50_NS,
  /** p90 of them; like every percentile only with 20 samples beyond it, which takes 200 in the second. */
  CLIENT_TIME_P90_NS,
  /** p99 of them, from 2,000 in the second on. */
  CLIENT_TIME_P99_NS,
  /** The largest of them. */
  CLIENT_TIME_MAX_NS,
  /** Connections that a load tool of others takes for open; its own word, in rows of its own. */
  TOOL_SAID_CONNECTIONS_OPEN,
  /** Bytes that a load tool of others says it wrote. */
  TOOL_SAID_SENT_BYTES,
  /** Bytes that a load tool of others says it read. */
  TOOL_SAID_RECEIVED_BYTES;

  /** What a figure tells by itself of limits, the most telling first. */
  public enum Tells {
    /** That something was refused, or dropped for want of it. */
    REFUSED,
    /** How much of something is used up. */
    USED_UP,
    /** How much of something is used up that no process has any more. */
    LEFT_OVER,
    /** Nothing by itself. */
    NOTHING
  }

  private final Tells tells;

  Figure() {
    this(Tells.NOTHING);
  }

  Figure(Tells tells) {
    this.tells = tells;
  }

  /** What it tells of limits. */
  public Tells tells() {
    return tells;
  }

  /** The name of the column. */
  public String column() {
    return name().toLowerCase(Locale.ROOT);
  }
}
