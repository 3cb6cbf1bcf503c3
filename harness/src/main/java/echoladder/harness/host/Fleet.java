package echoladder.harness.host;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.probe.HostLook;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Readings;
import echoladder.harness.results.Environment;
import echoladder.openloop.LoadOverHosts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The hosts of a run, with a control process on each: the server's first. Any thread. */
public final class Fleet implements AutoCloseable {
  private static final Duration STOP_BOUND = Duration.ofMinutes(5);
  private static final Duration COLLECT_BOUND = Duration.ofSeconds(75);
  private static final Duration BUILD_BOUND = Duration.ofMinutes(12);

  /** Beside that of the server's own start. */
  private static final Duration START_BOUND = Duration.ofSeconds(15);

  private final Inventory inventory;
  private final List<Member> members;
  private volatile Map<String, ClockOffset> before = Map.of();

  /** A host that answers. */
  record Member(InventoryHost host, HostLink link, HostHello hello) {}

  private Fleet(Inventory inventory, List<Member> members) {
    this.inventory = inventory;
    this.members = List.copyOf(members);
  }

  /**
   * Starts a control process on each host.
   *
   * @param client how the embedded client is started here, by which the versions are compared
   * @throws Refusal with a line for each host that cannot be had; then none is left
   */
  public static Fleet open(Inventory inventory, Checkout checkout, List<String> client) {
    return new Fleet(inventory, FleetOpening.open(inventory, LadderBuild.here(checkout, HostWork.program(checkout, client))));
  }

  /** Whether all hosts are one machine: its kernel's figures are of server and clients then, as over loopback. */
  public boolean onOneKernel() {
    return !FleetOpening.kernels(members).on().isEmpty();
  }

  /** The server's first. */
  List<HostLink> links() {
    return members.stream().map(Member::link).toList();
  }

  private Member server() {
    return members.getFirst();
  }

  private List<Member> clients() {
    return members.subList(1, members.size());
  }

  /** Where its servers listen. */
  public String serverAddress() {
    return String.valueOf(inventory.server().address());
  }

  /** The host of its servers. */
  public String serverHost() {
    return inventory.server().name();
  }

  /** Its client hosts. */
  public List<String> clientHosts() {
    return inventory.clients().stream().map(InventoryHost::name).toList();
  }

  /** What the doctor judges the server's host by. */
  public HostFacts serverFacts() {
    return server().hello().facts();
  }

  /** What figures depend on at the server's host, as environment.json has it. */
  public Map<String, @Nullable Object> serverEnvironment() {
    return server().hello().environment();
  }

  /** For environment.json: of each host by its name its group, and of clients what figures depend on there. */
  public Map<String, @Nullable Object> environment() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    for (Member member : members) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("group", member.host().group());
      if (!member.equals(server())) {
        one.putAll(member.hello().environment());
      }
      one.remove(Environment.MOMENT);
      one.remove("memory");
      all.put(member.host().name(), one);
    }
    return all;
  }

  /** Why a host is lost, for the first that is; null while all are there. */
  public @Nullable String lost() {
    return members.stream().map(member -> member.link().lost()).filter(why -> why != null).findFirst().orElse(null);
  }

  /** While the returned handle is open, the action runs for each host that is lost; at once where one is. */
  public Watch onLost(Runnable action) {
    members.forEach(member -> member.link().onLost(action));
    return () -> members.forEach(member -> member.link().forget(action));
  }

  /** Ends a registration. */
  public interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /** What the doctor says of each client host and so many connections that it shall hold: ports, descriptors, memory, tasks. */
  public Map<String, Examination> examinations(int connections) {
    return new ClientParts(clients()).examinations(connections);
  }

  /**
   * How many connections of a load each client host holds.
   *
   * @throws IllegalArgumentException where all together cannot carry them; the message says how many each can
   */
  public Map<String, Integer> shares(LoadPlan plan) {
    return new ClientParts(clients()).shares(plan);
  }

  /** The load of a rung on these hosts, against the server that {@link #start} started. */
  public LoadOverHosts load() {
    return new LoadOverHosts(new ClientParts(clients())::divide, new RemoteLook(server().link()));
  }

  /** Builds servers that say how, on their host; gives hashes of what each runs. */
  public Map<String, Map<String, String>> programs(List<ServerOrder> orders) {
    try {
      return server().link().ask(HostOp.PROGRAMS, new HostReplies.Orders(orders), HostReplies.Hashes.class, BUILD_BOUND).programs();
    } catch (IOException e) {
      throw Refusal.cannotRun(String.valueOf(e.getMessage()));
    }
  }

  /** An order for a server at the address of the test network. */
  public ServerOrder order(String server, Map<String, String> options, @Nullable String jdk, int backlog, long boundNs) {
    return new ServerOrder(server, options, jdk, serverAddress(), inventory.server().cores(), backlog, boundNs);
  }

  /** Starts a server on its host. */
  public ServerUp start(ServerOrder order) throws IOException {
    return server().link().ask(HostOp.START_SERVER, order, ServerUp.class, Duration.ofNanos(order.boundNs()).plus(START_BOUND));
  }

  /** Runs when the server that was started last ends by itself. */
  public void onServerEnd(Runnable action) {
    server().link().onServerEnd(action);
  }

  /** How the server ended by itself; null where it did not. */
  public @Nullable String ending(boolean doubted) throws IOException {
    return server().link().ask(HostOp.SERVER_ENDING, new HostReplies.Doubted(doubted), HostReplies.Said.class).text();
  }

  /**
   * Stops it.
   *
   * @param connections that it held
   * @param log takes what it said on stderr
   * @return null where it ended by itself, else what had to be done
   */
  public @Nullable String stop(int connections, Consumer<String> log) throws IOException {
    onServerEnd(() -> {});
    HostReplies.Stopped stopped =
        server().link().ask(HostOp.STOP_SERVER, new HostReplies.Held(connections), HostReplies.Stopped.class, STOP_BOUND);
    log.accept(stopped.log());
    return stopped.done();
  }

  /** Whether the server has no connection of the rung before left. */
  public boolean empty() throws IOException {
    return server().link().ask(HostOp.SERVER_EMPTY, null, HostReplies.Is.class, Duration.ofSeconds(30)).so();
  }

  /** What the server keeps alive after a forced collection; null where it has no page for that and need not have one. */
  public @Nullable LiveHeap collect() throws IOException {
    HostReplies.Collected collected = server().link().ask(HostOp.COLLECT, null, HostReplies.Collected.class, COLLECT_BOUND);
    if (collected.heap() == null && !collected.text().isEmpty()) {
      throw new IOException(collected.text());
    }
    return collected.heap();
  }

  /** Samples of all hosts. */
  public Readings readings() {
    return new RemoteReadings(this);
  }

  /** Whether the idle processors of all hosts are to poll from now on; what says no is thrown with its host's name. */
  public void idle(boolean polls) throws IOException {
    for (Member member : members) {
      member.link().ask(HostOp.IDLE, new HostReplies.Is(polls), HostReplies.Done.class);
    }
  }

  /** One echo from each client host. */
  public void check(Protocol protocol, Target target) throws IOException {
    for (Member client : clients()) {
      String source = client.host().sources().isEmpty() ? null : client.host().sources().getFirst();
      HostReplies.Check check = new HostReplies.Check(protocol, target.host(), target.port(), source);
      client.link().ask(HostOp.ECHO_CHECK, check, HostReplies.Done.class, Duration.ofSeconds(30));
    }
  }

  /** How quiet each host is, at one time; those that cannot tell, or are lost, are left out. */
  public List<HostLook> looks() {
    List<HostLook> looks = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
      members.forEach(member -> askers.execute(() -> look(member, looks)));
    }
    return List.copyOf(looks);
  }

  private static void look(Member member, List<HostLook> into) {
    try {
      HostLook look = member.link().ask(HostOp.QUIET, null, HostReplies.Quiet.class).look();
      if (look != null) {
        into.add(look.of(member.host().name()));
      }
    } catch (IOException e) {
      // Waiting would not help: the rung that follows says why.
      return;
    }
  }

  /** Settings of all hosts that must not change during a rung, each with its host's name. */
  public HostSettings settings() throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (Member member : members) {
      member.link().ask(HostOp.SETTINGS, null, HostReplies.SettingValues.class).values()
          .forEach((name, value) -> all.put(member.host().name() + " " + name, value));
    }
    return new HostSettings(all);
  }

  /** Compares the clocks of all hosts with this one's, before a rung. */
  public void compareClocks() throws IOException {
    Map<String, ClockOffset> now = new LinkedHashMap<>();
    for (Member member : members) {
      member.link().compareClocks();
      now.put(member.host().name(), member.link().clock());
    }
    before = now;
  }

  /** Compares the clocks again, after a rung: for each host what was found before, and now. */
  public Map<String, Clocks> compareClocksAgain() throws IOException {
    Map<String, Clocks> both = new LinkedHashMap<>();
    for (Member member : members) {
      ClockOffset first = before.getOrDefault(member.host().name(), member.link().clock());
      member.link().compareClocks();
      both.put(member.host().name(), new Clocks(first, member.link().clock()));
    }
    return both;
  }

  /** A host's clock against this one's, at two times. */
  public record Clocks(ClockOffset before, ClockOffset after) {}

  /** Ends all control processes with all that they started, those of lost hosts too as far as they can be reached. */
  @Override
  public void close() {
    FleetOpening.close(members);
  }
}
