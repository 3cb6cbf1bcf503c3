package echoladder.harness.cli.run;

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

/** Puts a server of the user's own into a study. Pure. */
final class OwnInStudy {
  private OwnInStudy() {}

  /**
   * The study with the user's server and, where {@code --servers} names none, the floor of its protocol in place of the study's.
   *
   * @param servers all that are known, the user's own among them
   * @throws Refusal (bad usage) where it cannot be climbed so
   */
  static Study of(OwnServer own, Study study, Map<String, ServerManifest> servers, Selection selection) {
    refuse(study, selection);
    List<Study.Entry> entries = new ArrayList<>();
    if (selection.labels().isEmpty()) {
      servers.values().stream()
          .filter(manifest -> manifest.reference() && manifest.speaks() == own.protocol())
          .forEach(floor -> entries.add(Study.Entry.plain(floor.name(), floor.name(), LoadTools.embedded().id(), Map.of())));
    } else {
      entries.addAll(study.servers());
    }
    for (Study.Entry entry : entries) {
      ServerManifest manifest = servers.get(entry.server());
      if (entry.label().equals(own.name())) {
        throw Refusal.badUsage("--name %s: the study has a server of that label; give your server another name".formatted(own.name()));
      }
      if (manifest != null && manifest.speaks() != own.protocol()) {
        throw Refusal.badUsage(
            "--servers: %s speaks %s and your server speaks %s: they do not compare"
                .formatted(entry.label(), manifest.protocol(), own.protocol().name().toLowerCase(Locale.ROOT)));
      }
    }
    entries.add(Study.Entry.plain(own.name(), own.name(), LoadTools.embedded().id(), Map.of()));
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
            : study.load().storm() != null ? "kills its server and starts it again"
            : study.phases().acceptStallNs() > 0 ? "stops its server for a while" : null;
    if (what != null) {
      throw Refusal.badUsage("--own: study '%s' %s; name another study, e.g. quick".formatted(study.name(), what));
    }
  }
}
