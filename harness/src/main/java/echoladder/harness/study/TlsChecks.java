package echoladder.harness.study;

import echoladder.harness.client.LoadTools;
import echoladder.harness.server.ServerManifest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How a load over TLS must fit the rest of its study, and the servers that there are. */
final class TlsChecks {
  /** The option that has a server speak TLS, and its value. */
  private static final String OPTION = "tls";
  private static final String ON = "on";

  private TlsChecks() {}

  /** Whether a study's load, as it is written, is over TLS. */
  static boolean asked(JsonNode load) {
    JsonNode tls = load.path("tls");
    return !tls.isMissingNode() && StudyLoad.word(tls.asString()) != null;
  }

  /** Whether a server can speak TLS. */
  private static boolean speaks(ServerManifest manifest) {
    ServerManifest.Option tls = manifest.options().get(OPTION);
    return tls != null && tls.values().contains(ON);
  }

  /** The options of an entry whose load is over TLS, with the one by which its server speaks it. */
  static Map<String, String> told(Map<String, String> options, ServerManifest manifest) {
    if (!speaks(manifest) || options.containsKey(OPTION)) {
      return options;
    }
    Map<String, String> all = new LinkedHashMap<>(options);
    all.put(OPTION, ON);
    return all;
  }

  /** Why an entry cannot be loaded so; null where it can. */
  static @Nullable String ofServer(Study.Entry entry, StudyLoad load, ServerManifest manifest) {
    boolean told = ON.equals(entry.options().get(OPTION));
    if (load.tls() == null) {
      return told ? "a server that speaks TLS needs a client that does: load.tls says so, or leave its option tls out" : null;
    }
    if (!speaks(manifest)) {
      return "'%s' cannot speak TLS (load.tls): it has no option tls with the value on".formatted(manifest.name());
    }
    if (!told) {
      return "'%s' is told not to speak TLS, by its option tls; load.tls needs the value on".formatted(entry.label());
    }
    return entry.client().equals(LoadTools.embedded().id())
        ? null
        : "the client '%s' is not asked for TLS here; load.tls needs %s".formatted(entry.client(), LoadTools.embedded().id());
  }

  /** What of a load does not go with TLS; null where all does. */
  static @Nullable String ofLoad(StudyLoad load) {
    if (load.tls() == null) {
      return null;
    }
    if (load.publish() != null) {
      return "TLS is not allowed with publish: no server pushes over it so far";
    }
    return load.slowReaders() == null ? null : "TLS is not allowed with slow_readers: the client sends on them without it so far";
  }
}
