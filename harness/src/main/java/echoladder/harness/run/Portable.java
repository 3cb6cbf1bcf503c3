package echoladder.harness.run;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import java.util.List;

/** Commands as they may be published. */
public final class Portable {
  private Portable() {}

  /** With the checkout, java and the harness's class path by placeholders. */
  public static List<String> command(Checkout checkout, List<String> argv) {
    String java = Jdks.java().toString();
    String classPath = System.getProperty("java.class.path");
    String root = checkout.root().toString();
    return argv.stream()
        .map(a -> a.equals(java) ? "{java}" : a.equals(classPath) ? "{classpath}" : a.replace(root, "{home}"))
        .toList();
  }
}
