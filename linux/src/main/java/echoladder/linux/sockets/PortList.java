package echoladder.linux.sockets;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A set of ports in the form of net.ipv4.ip_local_reserved_ports: {@code 8080,9000-9010}, or empty.
 *
 * @param ports from 0 to 65535; not to be changed
 */
public record PortList(BitSet ports) {
  private static final Pattern PART = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
  private static final int MOST = 65_535;

  /** Whether a text is of that form, with ports that there are. */
  public static boolean isOne(String text) {
    return parse(text) != null;
  }

  /** From that form; another one is an {@link IllegalArgumentException} that says the form. */
  public static PortList of(String text) {
    BitSet ports = parse(text);
    if (ports == null) {
      throw new IllegalArgumentException("'" + text + "' is no list of ports, as in 8080,9000-9010");
    }
    return new PortList(ports);
  }

  private static @Nullable BitSet parse(String text) {
    BitSet ports = new BitSet();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Matcher matcher = PART.matcher(part);
      if (!matcher.matches()) {
        return null;
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (first > last || last > MOST) {
        return null;
      }
      ports.set(first, last + 1);
    }
    return ports;
  }

  /** The ports of both. */
  public PortList with(PortList other) {
    BitSet both = new BitSet();
    both.or(ports);
    both.or(other.ports);
    return new PortList(both);
  }

  /** How many of them are from {@code first} to {@code last}. */
  public int within(int first, int last) {
    return first > last ? 0 : ports.get(Math.max(0, first), last + 1).cardinality();
  }

  /** As the kernel prints it: ascending, with neighbours as a range. */
  @Override
  public String toString() {
    return Stream.iterate(ports.nextSetBit(0), first -> first >= 0, first -> ports.nextSetBit(ports.nextClearBit(first)))
        .map(first -> ports.nextClearBit(first) - 1 == first ? "" + first : first + "-" + (ports.nextClearBit(first) - 1))
        .collect(Collectors.joining(","));
  }
}
