package echoladder.linux.process;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import echoladder.linux.process.ListeningSockets.Listener;
import echoladder.linux.sockets.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reason why CPU and memory of some processes are not those of the server at an address. A connection is accepted by a process that
 * has the listener open: the one that opened it, or one that inherited it.
 *
 * @param seen a clause, as "process 31701 (sleep) does not listen at 127.0.0.1:7301; process 412 (goecho) does"
 * @param instead the process that, with all that it has started, is the server; null where that cannot be told
 */
public record ListenerMismatch(String seen, @Nullable Long instead) {
  private static final int MOST_LISTED = 3;

  /**
   * Looks at every process of the host, so it is for before a load and not for measuring.
   *
   * @param pids the processes that are taken for the server, at least one, the one that has started the others first
   * @param target where the server accepts
   * @return empty where these processes, and no others, accept there
   */
  public static Optional<ListenerMismatch> of(List<Long> pids, SocketAddress target) {
    long root = pids.getFirst();
    List<Listener> here = ListeningSockets.all("/proc/self/net");
    List<Listener> there = target.isOfThisHost() ? accepting(here, target.toString()) : List.of();
    long self = ProcessHandle.current().pid();
    if (pids.contains(self)) {
      String what = root == self ? "is this process itself" : "has started this process";
      return Optional.of(
          new ListenerMismatch(
              process(root) + " " + what + ", so the CPU of the load's client would count as the server's", commonRoot(holders(there))));
    }
    Set<Long> open = pids.stream().flatMap(pid -> ProcessFiles.sockets(pid).orElse(Set.of()).stream()).collect(toSet());
    if (there.stream().anyMatch(listener -> open.contains(listener.inode()))) {
      return besideOthers(pids, there, target);
    }
    if (inAnotherNamespace(pids, here, open, target)) {
      return Optional.empty();
    }
    boolean seen = pids.stream().allMatch(pid -> ProcessFiles.sockets(pid).isPresent());
    return Optional.of(
        seen
            ? none(pids, there, target)
            : new ListenerMismatch(
                "it cannot be told whether %s listens at %s: only its own user and root may look at its descriptors"
                    .formatted(process(root), target),
                null));
  }

  /** Those of some processes that have the listener of that address open, as far as this user may look. */
  public static List<Long> listening(List<Long> pids, SocketAddress target) {
    return holders(pids.stream(), accepting(ListeningSockets.all("/proc/self/net"), target.toString()));
  }

  /**
   * The listeners that the kernel gives connections to that address: those of the address itself, else those of every IPv4 address, else
   * those of every address. Several of one rank share the connections (SO_REUSEPORT).
   */
  static List<Listener> accepting(List<Listener> all, String target) {
    return Stream.of(target, "0.0.0.0" + port(target), "[::]" + port(target))
        .map(address -> all.stream().filter(listener -> listener.address().equals(address)).toList())
        .filter(some -> !some.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /** Whether one of them listens at that port in another network namespace, as a server in a container does. */
  private static boolean inAnotherNamespace(List<Long> pids, List<Listener> here, Set<Long> open, SocketAddress target) {
    return pids.stream()
        .flatMap(pid -> ListeningSockets.all("/proc/" + pid + "/net").stream())
        .filter(listener -> !here.contains(listener))
        .anyMatch(listener -> listener.address().endsWith(port(target.toString())) && open.contains(listener.inode()));
  }

  private static String port(String address) {
    return address.substring(address.lastIndexOf(':'));
  }

  private static ListenerMismatch none(List<Long> pids, List<Listener> there, SocketAddress target) {
    long root = pids.getFirst();
    String not =
        pids.size() == 1
            ? "%s does not listen at %s; ".formatted(process(root), target)
            : "neither %s nor any of the %d processes that it has started listens at %s; "
                .formatted(process(root), pids.size() - 1, target);
    if (there.isEmpty()) {
      return new ListenerMismatch(not + "no process in this network namespace does (a container may have a namespace of its own)", null);
    }
    List<Long> holders = holders(there);
    return holders.isEmpty()
        ? new ListenerMismatch(
            not + "a process of the user with id %d does, which this user may not look at".formatted(there.getFirst().user()), null)
        : new ListenerMismatch(not + listed(holders) + (holders.size() == 1 ? " does" : " do"), commonRoot(holders));
  }

  /** A process that has started the server may hold its listener without ever accepting, as a supervisor does. */
  private static Optional<ListenerMismatch> besideOthers(List<Long> pids, List<Listener> there, SocketAddress target) {
    long root = pids.getFirst();
    List<Long> others = holders(there).stream().filter(pid -> !pids.contains(pid) && !lineage(root).contains(pid)).toList();
    if (others.isEmpty()) {
      return Optional.empty();
    }
    List<Long> all = new ArrayList<>(others);
    all.addFirst(root);
    return Optional.of(
        new ListenerMismatch(
            "%s is not alone in listening at %s: %s may accept connections too".formatted(process(root), target, listed(others)),
            commonRoot(all)));
  }

  /**
   * The processes that have one of them open, as far as this user may look. One that has started this process, as init has, is among them
   * only where there is no other.
   */
  private static List<Long> holders(List<Listener> listeners) {
    List<Long> ancestors = lineage(ProcessHandle.current().pid());
    List<Long> all = holders(ProcessHandle.allProcesses().map(ProcessHandle::pid).sorted(), listeners);
    List<Long> others = all.stream().filter(pid -> !ancestors.contains(pid)).toList();
    return others.isEmpty() ? all : others;
  }

  private static List<Long> holders(Stream<Long> pids, List<Listener> listeners) {
    Set<Long> inodes = listeners.stream().map(Listener::inode).collect(toSet());
    return pids.filter(pid -> ProcessFiles.sockets(pid).orElse(Set.of()).stream().anyMatch(inodes::contains)).toList();
  }

  /** The nearest process that is, or has started, all of them; null where there is none, or it has started this process too. */
  private static @Nullable Long commonRoot(List<Long> pids) {
    List<Long> ancestors = lineage(ProcessHandle.current().pid());
    return pids.isEmpty()
        ? null
        : lineage(pids.getFirst()).stream()
            .filter(ancestor -> pids.stream().allMatch(pid -> lineage(pid).contains(ancestor)))
            .filter(ancestor -> !ancestors.contains(ancestor))
            .findFirst()
            .orElse(null);
  }

  /** A process and those that it descends from, the nearest first. */
  private static List<Long> lineage(long pid) {
    List<Long> lineage = new ArrayList<>();
    for (Optional<ProcessHandle> at = ProcessHandle.of(pid); at.isPresent(); at = at.get().parent()) {
      lineage.add(at.get().pid());
    }
    return lineage;
  }

  private static String listed(List<Long> pids) {
    String some = pids.stream().limit(MOST_LISTED).map(ListenerMismatch::process).collect(joining(" and "));
    return pids.size() > MOST_LISTED ? some + " and %d more".formatted(pids.size() - MOST_LISTED) : some;
  }

  private static String process(long pid) {
    String name = ProcessFiles.name(pid);
    return name == null ? "process " + pid : "process %d (%s)".formatted(pid, name);
  }
}
