package echoladder.harness.host;

import echoladder.harness.common.Refusal;
import echoladder.linux.process.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts and ends the control processes of a run's hosts. */
final class FleetOpening {
  /** A checkout may have to be built there first. */
  private static final Duration HELLO_BOUND = Duration.ofMinutes(12);

  private static final Duration KILL_BOUND = Duration.ofSeconds(15);
  private static final String PAGE = "see runbooks/procedures/climb-on-two-hosts.md";

  private FleetOpening() {}

  /** As {@link Fleet#open} says; all hosts at once. */
  static List<Fleet.Member> open(Inventory inventory, LadderBuild here) {
    List<InventoryHost> hosts = new ArrayList<>(List.of(inventory.server()));
    hosts.addAll(inventory.clients());
    List<Future<Fleet.Member>> opening = new ArrayList<>();
    try (ExecutorService openers = Executors.newVirtualThreadPerTaskExecutor()) {
      hosts.forEach(host -> opening.add(openers.submit(() -> member(host, here))));
    }
    List<Fleet.Member> members = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (Future<Fleet.Member> one : opening) {
      try {
        members.add(one.get());
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        refused.add(cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        refused.add("interrupted while hosts were reached");
      }
    }
    String mixed = refused.isEmpty() ? kernels(members).mixed() : null;
    if (mixed != null) {
      refused.add(mixed);
    }
    if (!refused.isEmpty()) {
      close(members);
      throw Refusal.cannotRun(String.join("\n", refused));
    }
    return members;
  }

  /** The kernels that the members run on, the server's first. */
  static SharedKernel kernels(List<Fleet.Member> members) {
    Map<String, String> ofClients = new LinkedHashMap<>();
    members.stream().skip(1).forEach(client -> ofClients.put(client.host().name(), client.hello().bootId()));
    return new SharedKernel(members.getFirst().hello().bootId(), ofClients);
  }

  private static Fleet.Member member(InventoryHost host, LadderBuild here) throws IOException {
    HostLink link;
    try {
      link = HostLink.start(host.name(), host.control());
    } catch (IOException e) {
      throw new IOException("ssh cannot be started: " + e.getMessage(), e);
    }
    boolean had = false;
    try {
      HostLine answer = link.line(HostOp.HELLO, null, HELLO_BOUND);
      // Another version may say less of its host, or other things: which one it is comes first.
      String other = here.otherThan(LadderBuild.of(link.read(answer, HostOp.HELLO, HostReplies.Who.class)), host.dir());
      if (other != null) {
        throw new IOException("host " + host.name() + " " + other);
      }
      HostHello hello = link.read(answer, HostOp.HELLO, HostHello.class);
      had = true;
      return new Fleet.Member(host, link, hello);
    } catch (IOException e) {
      Integer status = link.status();
      if (status == null) {
        throw e;
      }
      throw new IOException(said(host, status, link.tail()), e);
    } finally {
      if (!had) {
        link.close();
      }
    }
  }

  /** What an ssh that ended before its control process answered means. */
  private static String said(InventoryHost host, int status, String tail) {
    String why = tail.isEmpty() ? "it said nothing" : tail;
    return switch (status) {
      case InventoryHost.NO_LADDER ->
          "host %s has no ladder at %s (echo_ladder_dir of the inventory): unpack the release there, or copy a checkout with its build; %s"
              .formatted(host.name(), host.dir(), PAGE);
      case 255 -> "host %s cannot be reached by ssh as %s: %s".formatted(host.name(), host.connectTo(), why);
      default -> "host %s: the ladder at %s ended with exit status %d: %s".formatted(host.name(), host.dir(), status, why);
    };
  }

  static void close(List<Fleet.Member> members) {
    try (ExecutorService closers = Executors.newVirtualThreadPerTaskExecutor()) {
      members.forEach(member -> closers.execute(() -> close(member)));
    }
  }

  private static void close(Fleet.Member member) {
    boolean lost = member.link().lost() != null;
    member.link().close();
    if (lost) {
      kill(member);
    }
  }

  /** A control process that stands still hears no end of its connection. Where its host cannot be reached, its own bound ends it. */
  private static void kill(Fleet.Member member) {
    try (ChildProcess ssh =
        ChildProcess.start(
            new ProcessBuilder(member.host().kill(member.hello().pid())).redirectErrorStream(true),
            from -> from.transferTo(OutputStream.nullOutputStream()),
            null)) {
      ssh.stdin().close();
      ssh.endsWithin(KILL_BOUND);
    } catch (IOException e) {
      // Without ssh nobody could have been lost.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
