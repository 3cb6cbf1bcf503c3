package echoladder.harness.tune;

import echoladder.linux.sockets.PortList;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arithmetic on the values of kernel settings. Pure. */
public final class Values {
  private static final String PORT_RANGE = "net.ipv4.ip_local_port_range";
  private static final String RESERVED_PORTS = "net.ipv4.ip_local_reserved_ports";
  private static final int MOST_SHOWN = 100;

  private Values() {}

  /** As the kernel would print it: with single spaces for its tabs, and neighbours in a list of ports as a range. */
  public static String normal(String key, String value) {
    String text = value.trim().replaceAll("\\s+", " ");
    return key.equals(RESERVED_PORTS) && PortList.isOne(text) ? PortList.of(text).toString() : text;
  }

  /** For sentences: the beginning of a long one, and how long it is. */
  public static String brief(@Nullable String value) {
    return value == null || value.length() <= MOST_SHOWN ? String.valueOf(value)
        : "%s... (%,d characters)".formatted(value.substring(0, MOST_SHOWN), value.length());
  }

  /**
   * What serves both: of numbers the higher one, field by field; of port ranges the one around both; of lists of reserved ports the
   * ports of both. Words have no order: {@code wanted}.
   *
   * @param present normalised, as is {@code wanted}
   */
  public static String covering(String key, String present, String wanted) {
    if (key.equals(RESERVED_PORTS) && PortList.isOne(present) && PortList.isOne(wanted)) {
      return PortList.of(present).with(PortList.of(wanted)).toString();
    }
    String[] is = present.split(" ", -1);
    String[] shall = wanted.split(" ", -1);
    if (is.length != shall.length || !numbers(is) || !numbers(shall)) {
      return wanted;
    }
    List<String> covering = new ArrayList<>();
    for (int i = 0; i < is.length; i++) {
      BigInteger a = new BigInteger(is[i]);
      BigInteger b = new BigInteger(shall[i]);
      boolean least = key.equals(PORT_RANGE) && i == 0;
      covering.add((least ? a.min(b) : a.max(b)).toString());
    }
    return String.join(" ", covering);
  }

  private static boolean numbers(String[] fields) {
    for (String field : fields) {
      if (!field.matches("-?\\d{1,20}")) {
        return false;
      }
    }
    return true;
  }
}
