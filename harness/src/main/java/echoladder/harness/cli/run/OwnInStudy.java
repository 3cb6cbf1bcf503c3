package echoladder.harness.cli.run;

import echoladder.client.Protocol;
import echoladder.client.Publish;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Refusal;
import echoladder.harness.server.OwnServer;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts one or two servers of the user's own into a study. Pure. */
final class OwnInStudy {
  private OwnInStudy() {}

  /**
   * The study with the user's servers and, where {@code --servers} names none, in place of the study's: beside one server the floor of its
   * protocol, beside two nothing, as each is measured against the other, and beside one that is to push nothing either.
   *
   * @param own one, or two that speak one protocol
   * @param servers all that are known, the user's own among them
   * @throws Refusal (bad usage) where it cannot be climbed so
   */
  static Study of(List<OwnServer> own, Study study, Map<String, ServerManifest> servers, Selection selection) {
    refuse(study, selection);
    boolean pushes = study.load().publish() != null;
    own.forEach(each -> refusePush(each, study));
    Protocol speaks = own.getFirst().protocol();
    if (study.load().slowReaders() != null && !pushes && speaks != Protocol.TCP) {
      throw Refusal.badUsage(
          "--own: connections that send on without reading (load.slow_readers) speak TCP alone, and your server speaks "
              + speaks.name().toLowerCase(Locale.ROOT));
    }
    List<String> names = own.stream().map(OwnServer::name).toList();
    List<Study.Entry> entries = new ArrayList<>();
    // No floor pushes text.
    if (selection.labels().isEmpty() && own.size() == 1 && !pushes) {
      servers.values().stream()
          .filter(manifest -> manifest.reference() && manifest.speaks() == speaks)
          .forEach(floor -> entries.add(Study.Entry.plain(floor.name(), floor.name(), LoadTools.embedded().id(), Map.of())));
    } else if (!selection.labels().isEmpty()) {
      entries.addAll(study.servers());
    }
    for (Study.Entry entry : entries) {
      ServerManifest manifest = servers.get(entry.server());
      if (names.contains(entry.label())) {
        throw Refusal.badUsage("%s %s: the study has a server of that label; give your server another name"
            .formatted(own.size() == 1 ? "--name" : "--own", entry.label()));
      }
      if (manifest != null && manifest.speaks() != speaks) {
        throw Refusal.badUsage(
            "--servers: %s speaks %s and your server speaks %s: they do not compare"
                .formatted(entry.label(), manifest.protocol(), speaks.name().toLowerCase(Locale.ROOT)));
      }
      if (manifest != null && pushes && speaks == Protocol.WEBSOCKET) {
        throw Refusal.badUsage(
            "--servers: over WebSocket %s pushes frames of the project and your server pushes the messages alone: they do not compare"
                .formatted(entry.label()));
      }
    }
    names.forEach(name -> entries.add(Study.Entry.plain(name, name, LoadTools.embedded().id(), Map.of())));
    return study.with(entries);
  }

  private static void refuse(Study study, Selection selection) {
    String client = selection.client() == null ? study.client() : selection.client();
    if (!client.equals(LoadTools.embedded().id())) {
      throw Refusal.badUsage(
          "%s with --own: a foreign load tool is checked against the server's metrics page, and your server has none; %s must load it"
              .formatted(selection.client() == null ? "study '" + study.name() + "' (its client is " + client + ")" : "--client " + client,
                  LoadTools.embedded().id()));
    }
    String what =
        !study.tuned().isEmpty() ? "sets knobs, and your server's are not known"
            : study.load().staged() != null ? "has users in stages, who ask for paths that only the project's servers have"
            : study.load().publish() == null && study.servers().stream().anyMatch(entry -> study.load(entry).publish() != null)
            ? "has some of its servers push and others echo"
            : study.load().tls() != null || study.servers().stream().anyMatch(entry -> study.load(entry).tls() != null)
            ? "has its servers speak TLS with a certificate of the run, which yours is not given"
            : study.load().storm() != null ? "kills its server and starts it again"
            : study.phases().acceptStallNs() > 0 ? "stops its server for a while" : null;
    if (what != null) {
      throw Refusal.badUsage("--own: study '%s' %s; name another study, e.g. quick".formatted(study.name(), what));
    }
  }

  private static void refusePush(OwnServer own, Study study) {
    Publish published = study.load().published();
    if (published == null) {
      if (own.ask().push() != null) {
        throw PushPathOptions.unpublished();
      }
      return;
    }
    if (!own.ask().pushesText(own.protocol())) {
      throw Refusal.badUsage(
          ("--own: study '%s' publishes (load.publish), and a server of your own is pushed at over HTTP (--protocol http) or over"
              + " WebSocket (--protocol websocket with --subscribe-path and --publish-path); see %s")
              .formatted(study.name(), OwnServer.PUSH_PAGE));
    }
    if (own.ask().request() != null) {
      throw Refusal.badUsage("--request and --expect-status do not go with load.publish: subscribers and messages have their own requests");
    }
    PushPathOptions.check(own.protocol(), own.ask().pushPaths(), published, study.load());
  }
}
