package echoladder.harness.tune;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Arithmetic on the values of kernel settings. Pure. */
public final class Values {
  private static final String PORT_RANGE = "net.ipv4.ip_local_port_range";

  private Values() {}

  /** With single spaces, as the kernel writes tabs where people write spaces. */
  public static String normal(String value) {
    return value.trim().replaceAll("\\s+", " ");
  }

  /**
   * What serves both: of numbers the higher one, field by field; of port ranges the one around both. Words have no
   * order: {@code wanted}.
   *
   * @param present normalised, as is {@code wanted}
   */
  public static String covering(String key, String present, String wanted) {
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
