package echoladder.harness.study;

import echoladder.harness.common.ShellWord;
import echoladder.harness.common.YamlSetting;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the command line takes of a study, and what it puts in another's place.
 *
 * @param client of every server, whatever the study says; null = as the study says
 * @param labels of the servers to climb; empty = all of them
 * @param settings values of single keys, in their order: of two for one key the last counts
 */
public record Selection(@Nullable String client, List<String> labels, List<YamlSetting> settings) {
  /** The study as it is. */
  public static final Selection ALL = new Selection(null, List.of(), List.of());

  public Selection {
    labels = List.copyOf(labels);
    settings = List.copyOf(settings);
  }

  /** This selection with more settings, which count over those before. */
  public Selection with(List<YamlSetting> more) {
    return new Selection(client, labels, Stream.concat(settings.stream(), more.stream()).toList());
  }

  /** As options for a shell, with a space before each; empty for {@link #ALL}. */
  public String asOptions() {
    return (client == null ? "" : " --client " + client)
        + (labels.isEmpty() ? "" : " --servers " + String.join(",", labels))
        + settings.stream().map(setting -> " --set " + ShellWord.of(setting.text())).collect(Collectors.joining());
  }
}
