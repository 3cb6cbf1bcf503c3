package echoladder.harness.cli.run;

import echoladder.harness.common.Refusal;
import echoladder.harness.study.Study;

/** What means nothing beside a network that the run makes: it is made for servers that the run starts, in a namespace of its own. */
final class BesideNetwork {
  private BesideNetwork() {}

  /**
   * Refuses it.
   *
   * @param hosts whether the run is over hosts
   * @throws Refusal (bad usage) of a study with a network
   */
  static void refuse(Study read, boolean hosts, AttachOptions attach, OwnOptions own, boolean onThisHost) {
    if (!read.networked()) {
      return;
    }
    refuse(hosts, HostsOption.NAME, "the network between these hosts is real, and none is made over it");
    refuse(attach.given(), "--attach", "that server is where it is, and a network is made only for servers that the run starts");
    refuse(own.given(), "--own", "your command listens on loopback, which a network does not reach");
    refuse(!attach.sources().isEmpty(), "--source-address", "the network has addresses of its own");
    refuse(onThisHost, "--on-this-host", "a network is made in a namespace of the run's own, where its settings are made too");
  }

  private static void refuse(boolean given, String option, String why) {
    if (given) {
      throw Refusal.badUsage("%s: %s; leave the study's 'network' out, or %1$s".formatted(option, why));
    }
  }
}
