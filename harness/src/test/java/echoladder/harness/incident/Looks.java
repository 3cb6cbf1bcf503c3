package echoladder.harness.incident;

import echoladder.harness.doctor.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A look at a server of somebody's own, and variations of it. */
final class Looks {
  private final Facts facts = new Facts().nofile(1_024);
  private final Map<String, Long> kinds = new TreeMap<>(Map.of("file", 6L));
  private final Map<String, Long> counters = new TreeMap<>();
  private final List<String> foreign = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final List<Destination> destinations = new ArrayList<>();
  private long connections;
  private long threads = 4;
  private @Nullable Long rssBytes = 20L << 20;
  private @Nullable Long userTasks;
  private boolean root = true;
  private boolean mayRaise = true;

  Looks connections(long n) {
    connections = n;
    return this;
  }

  Looks kind(String kind, long n) {
    kinds.put(kind, n);
    return this;
  }

  Looks threads(long n) {
    threads = n;
    return this;
  }

  Looks rss(long bytes) {
    rssBytes = bytes;
    return this;
  }

  Looks userTasks(long n) {
    userTasks = n;
    return this;
  }

  Looks counter(String name, long n) {
    counters.put(name, n);
    return this;
  }

  Looks listener(long waiting, long backlog, long drops) {
    listeners.add(new Listener("0.0.0.0:80", waiting, backlog, drops));
    return this;
  }

  Looks destination(long own, long taken) {
    destinations.add(new Destination("10.0.0.2", "10.0.0.7:443", own, taken));
    return this;
  }

  Looks inNetworkOfItsOwn() {
    foreign.add("net");
    return this;
  }

  Looks byUser() {
    root = false;
    return this;
  }

  Looks byRootOfAContainer() {
    mayRaise = false;
    return this;
  }

  Facts facts() {
    return facts;
  }

  ProcessLook look() {
    kinds.merge("socket", connections + listeners.size(), Long::sum);
    long descriptors = kinds.values().stream().mapToLong(n -> n).sum();
    SocketUse sockets =
        new SocketUse(
            "sock_diag", connections, destinations.isEmpty() ? connections : 0, Map.of("established", connections), listeners, destinations,
            destinations.size(), 0L, 3);
    return new ProcessLook(
        new ProcessLook.Identity(4711, "server", foreign, root, mayRaise), descriptors, kinds, threads, 100 + 2 * threads, rssBytes, sockets,
        counters, userTasks, facts.facts(), List.of("memory: /sys/fs/cgroup (version 2)"), List.of(), List.of());
  }
}
