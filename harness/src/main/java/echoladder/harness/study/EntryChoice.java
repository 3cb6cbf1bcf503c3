package echoladder.harness.study;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import echoladder.harness.server.ServerManifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The two entries of a server in a study: stock, and tuned. Here {@code entry: tuned} becomes the options that it stands for,
 * and {@code --servers LABEL:tuned} such an entry.
 */
final class EntryChoice {
  private static final String SUFFIX = "-" + ServerManifest.TUNED;
  private static final char MARK = ':';

  private EntryChoice() {}

  /** The label of a server in a study.yaml: its own, or its name, with the entry where that is not stock. */
  static String label(JsonNode server) {
    if (server.isString()) {
      return server.asString();
    }
    String otherwise = server.path("name").asString();
    boolean tuned = server.path(ServerManifest.ENTRY).asString("").equals(ServerManifest.TUNED);
    return server.path("label").asString(tuned ? otherwise + SUFFIX : otherwise);
  }

  /** Puts the key {@code entry} among the options, where everything else looks. */
  static void intoOptions(ObjectNode server) {
    JsonNode entry = server.remove(ServerManifest.ENTRY);
    if (entry != null) {
      server.withObjectProperty("options").set(ServerManifest.ENTRY, entry);
    }
  }

  /**
   * The study with the servers that are named on the command line and that it does not have, behind its own: as one that names them in
   * its list.
   *
   * @param yaml fits the schema
   * @param chosen as {@code --servers} names them; what is neither there nor a known server is left to others to refuse
   */
  static YamlTree added(YamlTree yaml, List<String> chosen, Map<String, ServerManifest> servers) {
    YamlTree all = yaml;
    for (String name : chosen.stream().map(EntryChoice::labelOf).distinct().toList()) {
      ServerManifest manifest = servers.get(name);
      boolean there = all.root().path("servers").valueStream().anyMatch(server -> label(server).equals(name));
      // The user's own server of this command line is added with its floor, by what knows its command.
      if (!there && manifest != null && manifest.own() == null) {
        all = all.added("/servers", JsonNodeFactory.instance.stringNode(name), "--servers " + name);
      }
    }
    return all;
  }

  /** An entry with the options that it stands for, and those that it needs to push or for TLS; as it is where there is no such server. */
  static Study.Entry resolved(Study.Entry entry, boolean pushes, boolean tls, Map<String, ServerManifest> servers) {
    ServerManifest manifest = servers.get(entry.server());
    if (manifest == null) {
      return entry;
    }
    Map<String, String> options = manifest.resolved(entry.options());
    Map<String, String> pushing = pushes ? PublishChecks.told(options, manifest) : options;
    return with(entry, entry.label(), entry.point(), tls ? TlsChecks.told(pushing, manifest) : pushing);
  }

  /** The label in {@code LABEL} or {@code LABEL:ENTRY}. */
  static String labelOf(String chosen) {
    int mark = chosen.indexOf(MARK);
    return mark < 0 ? chosen : chosen.substring(0, mark);
  }

  /**
   * The study with the entries that {@code --servers} names, each as stock, tuned or both.
   *
   * @param climbed the study with those of its servers whose labels are chosen
   * @throws Refusal (bad usage) where there is no such entry
   */
  static Study of(Study climbed, List<String> chosen, Map<String, ServerManifest> servers) {
    if (chosen.stream().noneMatch(text -> text.indexOf(MARK) >= 0)) {
      return climbed;
    }
    Map<String, Study.Entry> entries = new LinkedHashMap<>();
    for (Study.Entry entry : climbed.servers()) {
      for (String text : chosen) {
        String label = labelOf(text);
        if (label.equals(entry.label()) || label.equals(entry.base())) {
          Study.Entry one = text.equals(label) ? entry : named(entry, text, servers);
          entries.putIfAbsent(one.label(), one);
        }
      }
    }
    return climbed.with(new ArrayList<>(entries.values()));
  }

  private static Study.Entry named(Study.Entry entry, String text, Map<String, ServerManifest> servers) {
    String wanted = text.substring(labelOf(text).length() + 1);
    ServerManifest manifest = Objects.requireNonNull(servers.get(entry.server()), "the study was checked");
    String wrong = manifest.complaint(ServerManifest.ENTRY, wanted);
    if (wrong != null) {
      throw Refusal.badUsage("--servers " + text + ": " + wrong);
    }
    if (entry.knob() != null) {
      throw Refusal.badUsage("--servers " + text + ": a study of knobs is of a server as it comes, whose options are knobs themselves");
    }
    String is = entry.options().getOrDefault(ServerManifest.ENTRY, ServerManifest.STOCK);
    if (wanted.equals(is)) {
      return entry;
    }
    if (wanted.equals(ServerManifest.STOCK)) {
      throw Refusal.badUsage(
          "--servers " + text + ": the study has '" + entry.label() + "' as " + is + ", with options that it does not tell"
              + " from its own; name a server that is stock there");
    }
    Map<String, String> options = new LinkedHashMap<>(entry.options());
    options.put(ServerManifest.ENTRY, wanted);
    AxisPoint point = entry.point() == null ? null : new AxisPoint(entry.point().server() + SUFFIX, entry.point().values());
    return with(entry, point == null ? entry.label() + SUFFIX : point.label(), point, manifest.resolved(options));
  }

  private static Study.Entry with(
      Study.Entry entry, String label, @Nullable AxisPoint point, Map<String, String> options) {
    return new Study.Entry(
        label, entry.server(), entry.client(), options, entry.settings(), entry.load(), entry.expectLimit(), entry.jdk(), point,
        entry.knob());
  }
}
