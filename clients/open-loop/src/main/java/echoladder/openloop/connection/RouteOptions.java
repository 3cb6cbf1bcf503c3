package echoladder.openloop.connection;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** From where to connect, and to whom one may: what {@code load} has in common with others that load a target. */
public final class RouteOptions {
  @Option(
      names = "--source-address",
      paramLabel = "IP",
      split = ",",
      description = "Connect from these addresses in turn. Default: the kernel's choice, or as many of 127.0.0.0/8 as "
          + "the ports of a loopback target need.")
  private List<String> sources = new ArrayList<>();

  @Option(
      names = "--allow-target",
      paramLabel = "HOST",
      description = "A host outside loopback and private ranges that is yours to load.")
  private List<String> allowed = new ArrayList<>();

  /** Addresses to connect from in turn; none = the client's choice. */
  public List<String> sources() {
    return sources;
  }

  /** Hosts outside loopback and private ranges that may be loaded all the same. */
  public List<String> allowed() {
    return allowed;
  }
}
