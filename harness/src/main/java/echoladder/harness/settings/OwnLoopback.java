package echoladder.harness.settings;

import echoladder.harness.knobs.LoopbackSetting;
import echoladder.linux.Root;
import echoladder.linux.sockets.NetworkNamespace;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run sets of loopback. It is set only in a network namespace that the run has made for itself, and so needs no journal: the
 * device ends with the run's last process, however that ends.
 */
public final class OwnLoopback implements Closeable {
  private final Map<LoopbackSetting, String> before = new EnumMap<>(LoopbackSetting.class);

  private OwnLoopback() {}

  /** Where it is set, where runs do not. */
  static String elsewhere(LoopbackSetting setting) {
    String byHand =
        switch (setting) {
          case RPS -> "echo MASK >" + setting.key();
          case QDISC -> "tc qdisc replace dev lo root NAME";
        };
    return ("%s is set by runs only in a network namespace of their own, which a study of knobs makes without --on-this-host;"
        + " on the host, as root: %s, and compare two runs").formatted(setting.words(), byHand);
  }

  /** Why one of them cannot be set, here or in the namespace that a study of knobs would make here; null where all can. */
  static @Nullable String complaint(Map<LoopbackSetting, String> asked) {
    return asked.entrySet().stream()
        .map(setting -> complaint(setting.getKey(), setting.getValue()))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String complaint(LoopbackSetting setting, String value) {
    if (!NetworkNamespace.ofRun() && (OwnNetwork.here() || Root.uid() != 0)) {
      return elsewhere(setting);
    }
    return switch (setting) {
      case RPS -> LoopbackRps.complaint();
      case QDISC -> LoopbackQdisc.complaint(value);
    };
  }

  /**
   * Sets them.
   *
   * @throws IOException where one cannot be; then none is
   */
  static OwnLoopback set(Map<LoopbackSetting, String> asked) throws IOException {
    OwnLoopback loopback = new OwnLoopback();
    try {
      for (Map.Entry<LoopbackSetting, String> setting : asked.entrySet()) {
        if (!NetworkNamespace.ofRun()) {
          throw new IOException(elsewhere(setting.getKey()));
        }
        loopback.before.put(setting.getKey(), inForce(setting.getKey()));
        set(setting.getKey(), setting.getValue());
      }
      return loopback;
    } catch (IOException e) {
      try {
        loopback.close();
      } catch (IOException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  private static void set(LoopbackSetting setting, String value) throws IOException {
    switch (setting) {
      case RPS -> LoopbackRps.set(value);
      case QDISC -> LoopbackQdisc.set(value);
    }
  }

  /** What the kernel says. */
  public static String inForce(LoopbackSetting setting) throws IOException {
    return switch (setting) {
      case RPS -> LoopbackRps.inForce();
      case QDISC -> LoopbackQdisc.inForce();
    };
  }

  /** Puts each back. */
  @Override
  public void close() throws IOException {
    for (Map.Entry<LoopbackSetting, String> was : before.entrySet()) {
      try {
        set(was.getKey(), was.getValue());
      } catch (IOException e) {
        throw new IOException("%s could not be put back: %s".formatted(was.getKey().words(), e.getMessage()), e);
      }
    }
  }
}
