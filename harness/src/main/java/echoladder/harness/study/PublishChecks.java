package echoladder.harness.study;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.client.Schedule;
import echoladder.client.figures.Percentiles;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Units;
import echoladder.harness.server.ServerManifest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a load that publishes must fit the rest of its study, and the servers that there are. */
final class PublishChecks {
  /** The option that has a server push, and its value. */
  static final String OPTION = "traffic";
  static final String PUSH = "push";

  /** With fewer, a p50 of the first and last delivery has not the samples beyond it that it needs. */
  private static final int LEAST_PUBLISHES = 2 * Percentiles.SAMPLES_BEYOND;

  /** In a lab times mean nothing: what is asked is whom a message reaches, and what a subscriber takes. */
  private static final int LEAST_IN_LAB = 2;

  private PublishChecks() {}

  /** Whether a server can push. */
  private static boolean pushes(ServerManifest manifest) {
    ServerManifest.Option traffic = manifest.options().get(OPTION);
    return traffic != null && traffic.values().contains(PUSH);
  }

  /** The options of an entry whose load publishes, with the one by which its server pushes. */
  static Map<String, String> told(Map<String, String> options, @Nullable ServerManifest manifest) {
    if (manifest == null || !pushes(manifest) || options.containsKey(OPTION)) {
      return options;
    }
    Map<String, String> all = new LinkedHashMap<>(options);
    all.put(OPTION, PUSH);
    return all;
  }

  /** Why an entry cannot be loaded so; null where it can. */
  static @Nullable String ofServer(Study.Entry entry, StudyLoad load, ServerManifest manifest) {
    if (load.publish() == null) {
      return manifest.onlyPushes() ? "'%s' only pushes, and echoes nothing: load.publish says what is published".formatted(manifest.name())
          : PUSH.equals(entry.options().get(OPTION))
          ? "a server that pushes echoes nothing: load.publish says what is published, or leave its option traffic out" : null;
    }
    int least = Publish.leastMessageBytes(manifest.speaks(), manifest.own() == null ? HttpAsk.ECHO : manifest.own().ask());
    if (load.messageBytes() >= Publish.LEAST_MESSAGE_BYTES && load.messageBytes() < least) {
      return "a message of %s is not allowed with publish over %s: %dB to 1MiB are, as what it carries is written as text there"
          .formatted(Units.bytes((long) load.messageBytes()), manifest.speaks() == Protocol.HTTP ? "HTTP" : "WebSocket", least);
    }
    if (manifest.own() != null) {
      return null; // The command line says by which paths, and a check of one message whether it does.
    }
    if (!pushes(manifest)) {
      return "'%s' cannot push (load.publish): it has no option traffic with the value push".formatted(manifest.name());
    }
    if (!PUSH.equals(entry.options().get(OPTION))) {
      return "'%s' is told not to push, by its option traffic; load.publish needs the value push".formatted(entry.label());
    }
    return entry.client().equals(LoadTools.embedded().id())
        ? null
        : "the client '%s' subscribes to nothing; load.publish needs %s".formatted(entry.client(), LoadTools.embedded().id());
  }

  /** What of a load does not go with publishing, in a lab or outside; null where all does. */
  static @Nullable String ofLoad(Study study, StudyLoad load, boolean inLab) {
    if (load.publish() == null) {
      return null;
    }
    if (load.churnPerS() != null || load.storm() != null) {
      return "churn and storm are not allowed with publish: what is due to a subscriber who comes and goes cannot be told from outside";
    }
    if (load.schedule() != Schedule.CONSTANT && load.schedule() != Schedule.JITTERED) {
      return ("the schedule '%s' is not allowed with publish: constant or jittered is; a message to many is a burst by itself, and a few"
              + " publishes more or less by chance would be another load")
          .formatted(load.schedule().id());
    }
    if (load.inFlight() != 1) {
      return "in_flight is not allowed with publish: subscribers send nothing, and whoever publishes waits for nobody";
    }
    if (load.messageBytes() < Publish.LEAST_MESSAGE_BYTES || load.messageBytes() > 1 << 20) {
      return "a message of %s is not allowed with publish: %dB to 1MiB are, as it carries its number, its times and a check of them"
          .formatted(Units.bytes((long) load.messageBytes()), Publish.LEAST_MESSAGE_BYTES);
    }
    int least = inLab ? LEAST_IN_LAB : LEAST_PUBLISHES;
    for (int connections : study.rungs()) {
      double perS = load.messagesPerS(connections, load.ratesPerS(connections).getFirst());
      double publishes = perS * study.phases().steadyNs() / 1e9;
      String few =
          "%,d connections come to %s messages published in a steady state of %s; "
              .formatted(connections, Units.plain(Math.floor(publishes * 10) / 10), Units.time(study.phases().steadyNs()));
      if (publishes < least) {
        return few
            + "%d or more are needed%s: raise the rate, or lengthen phases.steady"
                .formatted(least, inLab ? "" : " for a p50 of the last delivery");
      }
      if (publishes < LEAST_PUBLISHES && load.schedule() != Schedule.CONSTANT) {
        return few + "with '%s' one of them may be missing by chance: say schedule: constant".formatted(load.schedule().id());
      }
    }
    return null;
  }
}
