package echoladder.linux.sockets;

import echoladder.linux.ProcSys;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The ports that connect() may choose from.
 *
 * @param first lowest of net.ipv4.ip_local_port_range
 * @param last highest
 * @param reserved how many of them net.ipv4.ip_local_reserved_ports takes out
 */
public record EphemeralPorts(int first, int last, int reserved) {

  /** Reads the range of this network namespace. */
  public static EphemeralPorts read() {
    try {
      String[] range = ProcSys.read("net.ipv4.ip_local_port_range").split("\\s+", -1);
      String reserved = ProcSys.read("net.ipv4.ip_local_reserved_ports");
      return of(Integer.parseInt(range[0]), Integer.parseInt(range[1]), reserved);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the ephemeral port range", e);
    }
  }

  /** From the kernel's texts; {@code reserved} is e.g. {@code 8080,9000-9010}, or empty. */
  public static EphemeralPorts of(int first, int last, String reserved) {
    return new EphemeralPorts(first, last, PortList.of(reserved).within(first, last));
  }

  /** Ports one (source, destination, port) tuple can use at all. */
  public int usable() {
    return Math.max(0, last - first + 1 - reserved);
  }

  /**
   * Connections to plan per tuple: half of {@link #usable}. connect() walks the range by parity, so beyond half of it
   * each connect first scans all the taken ports of one parity. The only port of a range is planned too.
   */
  public int perTuple() {
    return usable() == 1 ? 1 : usable() / 2;
  }
}
