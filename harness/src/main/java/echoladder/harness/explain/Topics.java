package echoladder.harness.explain;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the table that the verb, the pages and their tests share. */
public final class Topics {
  /** Below the root of a checkout. */
  public static final String FILE = "runbooks/texts.yaml";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private Topics() {}

  /**
   * Those of a checkout or of an unpacked release, in the order of the file.
   *
   * @throws Refusal (bad usage) where the file is not as it should be
   */
  public static List<Topic> of(Checkout checkout) {
    YamlTree yaml = YamlTree.read(checkout.root().resolve(FILE), FILE);
    List<Topic> topics = new ArrayList<>();
    int index = 0;
    for (JsonNode row : yaml.root().path("topics")) {
      try {
        topics.add(JSON.treeToValue(row, Topic.class));
      } catch (JacksonException e) {
        throw Refusal.badUsage(yaml.at("/topics/" + index) + ": " + e.getOriginalMessage());
      }
      index++;
    }
    if (topics.isEmpty()) {
      throw Refusal.badUsage(FILE + ": has no topics, and so nothing can be explained; take the file of the release");
    }
    return topics;
  }
}
