package echoladder.harness.settings;

import echoladder.harness.common.Command;
import echoladder.harness.common.Units;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.LabModules;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Network;
import echoladder.harness.tune.Scope;
import echoladder.linux.ErrorText;
import echoladder.linux.ProcSys;
import echoladder.linux.Root;
import echoladder.linux.sockets.HeldNamespace;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The network between the client and the server of one entry: a namespace for the server, a cable from there to this namespace with
 * netem at both ends, and a second cable without netem, over which the server's pages are read. Nothing of it has a name on the host.
 * This process holds the server's namespace by a descriptor, and the cables end with that namespace: also after a SIGKILL nothing stays.
 */
public final class NetworkLink implements Closeable {
  /** Where the server is loaded. */
  public static final String SERVER = "10.77.0.2";

  /** Where the same server's pages are read: over a cable without delay or loss. */
  public static final String PAGES = "10.77.1.2";

  /** The port of discard(9), at which nothing listens in the namespace: a connect is refused after one round trip. */
  private static final int CLOSED_PORT = 9;

  private static final int TRIPS = 5;
  private static final int MOST_TRIES = 20;

  /** Beyond the delay: a SYN that is lost is sent again after a second. */
  private static final int TRIP_BOUND_MS = 3_000;

  private static final int NS_PER_MS = 1_000_000;

  private static final Path ROOT = Path.of("/");

  /** Makes both cables, and puts one end of each into the server's namespace, $1. */
  private static final String CABLES =
      """
      set -e
      ip link add name link-client type veth peer name link-server
      ip link add name pages-client type veth peer name pages-server
      ip link set link-server netns "$1"
      ip link set pages-server netns "$1"
      """;

  /** Sets one end up. It knows the hardware address of the other, so that no load waits for an answer of ARP that was lost. */
  private static final String SET_UP =
      """
      set -e
      end=$1 own=$2 pages=$3 hardware=$4 peer=$5 peer_hardware=$6 mtu=$7
      shift 7
      ip link set lo up
      ip link set "link-$end" address "$hardware" mtu "$mtu" gso_max_segs 1 up
      ip link set "pages-$end" up
      ip address add "$own/24" dev "link-$end"
      ip address add "$pages/24" dev "pages-$end"
      ip neighbour replace "$peer" lladdr "$peer_hardware" dev "link-$end" nud permanent
      if [ $# -gt 0 ]; then ip route replace "${own%.*}.0/24" dev "link-$end" proto kernel scope link src "$own" "$@"; fi
      """;

  private static @Nullable String trial;
  private static boolean tried;

  private final HeldNamespace namespace;
  private final Network network;
  private final Map<String, String> inForce = new LinkedHashMap<>();
  private @Nullable LinkCounters beforeCut;
  private LinkCounters ofCuts = new LinkCounters(0, 0);

  private NetworkLink(HeldNamespace namespace, Network network) {
    this.namespace = namespace;
    this.network = network;
  }

  /** Why none can be made here; null where nothing is known against it. It is tried once per process, in a namespace that ends at once. */
  public static synchronized @Nullable String complaint() {
    if (!tried) {
      trial = tried();
      tried = true;
    }
    return trial;
  }

  private static @Nullable String tried() {
    String lab = "'./ladder lab -- ./ladder run ...' runs a kernel that has all of it, without root";
    if (Root.uid() != 0) {
      return "a network (network) is made of namespaces, which only root may make: sudo ./ladder ..., or " + lab;
    }
    try {
      LabModules.load("veth");
      LabModules.load("sch_netem");
    } catch (IOException e) {
      return "this lab's kernel has no network to make (network): " + e.getMessage();
    }
    try {
      Command.answer(
          ROOT, "unshare", "--net", "--", "sh", "-c",
          "ip link add name try-client type veth peer name try-server && tc qdisc add dev try-client root netem delay 1ms");
      return null;
    } catch (IOException e) {
      return "no network can be made here (network): a trial of veth and netem failed (" + e.getMessage()
          + "). Where the kernel has them as modules, as root: modprobe veth sch_netem; else " + lab;
    }
  }

  /**
   * Makes the network of an entry; null where it asks for none.
   *
   * @throws IOException where it cannot be made, or does not do what was asked; then nothing of it is left
   */
  static @Nullable NetworkLink of(EntrySettings settings) throws IOException {
    Network network = settings.network();
    if (network == null) {
      return null;
    }
    if (!OwnNetwork.here() && !LabMark.inside()) {
      throw new IOException("a network is made only in a network namespace of the run's own");
    }
    try {
      NetworkLink link = new NetworkLink(HeldNamespace.make(), network);
      boolean made = false;
      try {
        link.make(settings);
        made = true;
        return link;
      } finally {
        if (!made) {
          link.close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the network was made", e);
    }
  }

  private void make(EntrySettings settings) throws IOException, InterruptedException {
    answer(List.of("sh", "-c", CABLES, "ladder", namespace.path()));
    setUp(End.CLIENT, End.SERVER, settings);
    setUp(End.SERVER, End.CLIENT, settings);
    setInside(settings.sysctl());
    for (End end : End.values()) {
      List<String> netem = Netem.arguments(network);
      netem(end, "replace", netem);
      inForce.put("netem at " + end.device(), String.join(" ", netem));
      counters(end); // Also whether it is netem that is there.
    }
    long trip = roundTripNs(tripBoundMs(network));
    inForce.put("round trip of the network", Units.time(trip));
    long least = network.delayNs() - network.jitterNs();
    if (network.reorderShare() == 0 && trip < least) {
      throw new IOException("the network was made with a delay of %s, and a connect was answered after %s"
          .formatted(Units.time(network.delayNs()), Units.time(trip)));
    }
  }

  /** The ends of the cables: their addresses on the one that has netem, and on the one for pages. */
  private enum End {
    CLIENT("client", "10.77.0.1", "10.77.1.1", "02:00:00:00:00:01"),
    SERVER("server", NetworkLink.SERVER, NetworkLink.PAGES, "02:00:00:00:00:02");

    private final String name;
    private final String address;
    private final String ofPages;
    private final String hardware;

    End(String name, String address, String ofPages, String hardware) {
      this.name = name;
      this.address = address;
      this.ofPages = ofPages;
      this.hardware = hardware;
    }

    /** That of the cable with netem. */
    private String device() {
      return "link-" + name;
    }
  }

  private void netem(End end, String verb, List<String> arguments) throws IOException {
    List<String> command = at(end, "tc", "qdisc", verb, "dev", end.device(), "root", "netem");
    command.addAll(arguments);
    answer(command);
  }

  /**
   * Loses all that the server sends over the link from now on, until {@link #heal}. Neither end is told. What is on the way still arrives,
   * and the pages have a cable of their own.
   */
  public synchronized void cutFromServer() throws IOException {
    beforeCut = beforeCut == null ? counted() : beforeCut;
    netem(End.SERVER, "change", Netem.cut());
  }

  /** Loses all that either end sends over the link from now on, likewise. */
  public synchronized void cut() throws IOException {
    cutFromServer();
    netem(End.CLIENT, "change", Netem.cut());
  }

  /** Makes the link whole again where it was cut. What was lost meanwhile is in no counter. */
  public synchronized void heal() throws IOException {
    LinkCounters before = beforeCut;
    if (before == null) {
      return;
    }
    for (End end : End.values()) {
      netem(end, "change", Netem.arguments(network));
    }
    ofCuts = ofCuts.and(counted().since(before));
    beforeCut = null;
  }

  private void setUp(End end, End peer, EntrySettings settings) throws IOException {
    List<String> command =
        at(
            end, "sh", "-c", SET_UP, "ladder", end.name, end.address, end.ofPages, end.hardware, peer.address, peer.hardware,
            Integer.toString(network.mtuBytes()));
    settings.route().forEach((name, value) -> command.addAll(List.of(name, value)));
    answer(command);
  }

  private List<String> at(End end, String... command) {
    List<String> argv = new ArrayList<>(end == End.SERVER ? wrapper() : List.of());
    argv.addAll(List.of(command));
    return argv;
  }

  private static String answer(List<String> argv) throws IOException {
    return Command.answer(ROOT, argv.toArray(String[]::new));
  }

  /** Kernel settings that each namespace has for itself: the server's has them too, and is gone before they need be put back. */
  private void setInside(Map<String, String> settings) throws IOException, InterruptedException {
    Map<String, String> own =
        settings.entrySet().stream()
            .filter(setting -> Scope.of(setting.getKey()) == Scope.NETWORK)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    String failure =
        namespace.in(
            () -> {
              for (Map.Entry<String, String> setting : own.entrySet()) {
                try {
                  ProcSys.write(Path.of("/proc/sys", setting.getKey().replace('.', '/')), setting.getValue());
                } catch (IOException e) {
                  return "%s was not set to '%s' in the server's namespace: %s"
                      .formatted(setting.getKey(), setting.getValue(), ErrorText.of(e));
                }
              }
              return "";
            });
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
  }

  /** How long one round trip is waited for. */
  static int tripBoundMs(Network network) {
    return Math.toIntExact((network.delayNs() + network.jitterNs()) / NS_PER_MS) + TRIP_BOUND_MS;
  }

  /** The least of some round trips: connects to a port at which nothing listens. */
  private static long roundTripNs(int boundMs) throws IOException {
    long least = Long.MAX_VALUE;
    int answered = 0;
    for (int i = 0; i < MOST_TRIES && answered < TRIPS; i++) {
      long startNs = System.nanoTime();
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(SERVER, CLOSED_PORT), boundMs);
        throw new IOException("something listens at port %d of the server's namespace, which is new".formatted(CLOSED_PORT));
      } catch (ConnectException e) {
        least = Math.min(least, System.nanoTime() - startNs);
        answered++;
      } catch (SocketTimeoutException e) {
        // It was lost, as a network may.
      }
    }
    if (answered == 0) {
      throw new IOException("the network was made, and none of %d connects over it was answered".formatted(MOST_TRIES));
    }
    return least;
  }

  /** The command that starts a process at the server's end: it execs what follows. */
  List<String> wrapper() {
    return List.of("nsenter", "--net=" + namespace.path(), "--");
  }

  /** What is in force, by name, for the record. */
  public Map<String, String> inForce() {
    return inForce;
  }

  /** What netem has counted at both ends together, but for the times in which the link was cut. */
  public synchronized LinkCounters counters() throws IOException {
    return (beforeCut == null ? counted() : beforeCut).since(ofCuts);
  }

  private LinkCounters counted() throws IOException {
    return counters(End.CLIENT).and(counters(End.SERVER));
  }

  /** Puts the counts into a sample; a count that cannot be had is absent. */
  public void sample(Reading into) {
    try {
      LinkCounters now = counters();
      into.put(Figure.NETWORK_PACKETS, now.packets());
      into.put(Figure.NETWORK_DROPS, now.dropped());
    } catch (IOException e) {
      // The judge misses it.
    }
  }

  private LinkCounters counters(End end) throws IOException {
    return LinkCounters.ofAnswer(answer(at(end, "tc", "-s", "-j", "qdisc", "show", "dev", end.device())));
  }

  /** Takes it away; that of a process that is killed goes by itself. */
  @Override
  public void close() throws IOException {
    try {
      for (String device : List.of("link-client", "pages-client")) {
        if (NetworkInterface.getByName(device) != null) {
          answer(List.of("ip", "link", "delete", device));
        }
      }
    } finally {
      namespace.close();
    }
  }
}
