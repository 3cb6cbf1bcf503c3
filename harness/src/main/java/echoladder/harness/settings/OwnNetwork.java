package echoladder.harness.settings;

import echoladder.harness.common.Refusal;
import echoladder.harness.lab.LabMark;
import echoladder.harness.study.Study;
import echoladder.linux.Root;
import echoladder.linux.process.Becoming;
import echoladder.linux.sockets.NetworkNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace made for one run, whose settings are nobody else's. It has no name, so the kernel removes it with the last
 * process in it, however that ends.
 */
public final class OwnNetwork {
  /**
   * Brings loopback up, shows it in sysfs, which has the devices of the namespace that it was mounted in, tells the program which
   * namespace is the run's, and becomes the program. Where sysfs cannot be mounted, only {@link LoopbackRps} is missed.
   */
  private static final String INSIDE =
      "ip link set lo up || { echo 'ladder: loopback of the network namespace could not be set up; ip of iproute2 is needed' >&2; exit"
          + " 3; }\n"
          + "if mount -t sysfs sysfs /mnt 2>/dev/null; then\n"
          + "  mount --bind /mnt/devices/virtual/net/lo /sys/devices/virtual/net/lo 2>/dev/null; umount /mnt\n"
          + "fi\n"
          + NetworkNamespace.OF_RUN + "=$(readlink /proc/self/ns/net) || exit 3\n"
          + "export " + NetworkNamespace.OF_RUN + "\n"
          + "exec \"$@\"";

  private OwnNetwork() {}

  /** Whether the settings of this network namespace are nobody else's. */
  static boolean here() {
    return NetworkNamespace.ofRun() || Throwaway.loopbackAlone();
  }

  /** Whether a run needs one: its study sets knobs or makes a network, it is in no lab, and it may not set them on this host itself. */
  public static boolean neededBy(Study study, boolean onThisHost) {
    boolean sets = !study.tuned().isEmpty() || study.networked();
    return sets && !onThisHost && study.lab() == null && !LabMark.inside();
  }

  /**
   * Starts this process anew in such a namespace, under the same process id; returns where it is in one already.
   *
   * @throws Refusal (could not run) where this user may make none
   */
  public static void enter() {
    if (here()) {
      return;
    }
    if (Root.uid() != 0) {
      throw Refusal.cannotRun(
          "this study makes settings, or a network, in a network namespace of its own, which only root may make; nothing was started:"
              + " sudo ./ladder run ..., or ./ladder lab -- ./ladder run ...");
    }
    try {
      List<String> argv =
          new ArrayList<>(List.of("unshare", "--net", "--mount", "--propagation", "private", "--", "sh", "-c", INSIDE, "ladder"));
      argv.addAll(Becoming.ownCommand());
      Becoming.program(argv);
    } catch (IOException e) {
      throw Refusal.cannotRun(
          "no network namespace could be made for the run: " + e.getMessage() + "; nothing was started. unshare of util-linux is needed");
    }
  }
}
