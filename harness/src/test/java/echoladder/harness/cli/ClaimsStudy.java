package echoladder.harness.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** A study of claims: each says of one step that it ends by itself. */
final class ClaimsStudy {
  private static final String HEAD =
      """
      memory_limit: LIMIT
      sources: {somebody: {author: A. Body, title: It ends, kind: blog post, date: "2025", where: not stated}}
      claims:
      """;

  private static final String CLAIM =
      """
        - id: NAME
          said: a program ends by itself
          topic: starting
          kind: host-bound
          source: somebody
          published: it ends
          host: a laptop
          steps: [{name: NAME, STEP}]
          rules: [{step: NAME, ends: [done]}]
      """;

  private ClaimsStudy() {}

  /**
   * Writes one.
   *
   * @param folder of the study, which is made
   * @param memoryLimit of each step
   * @param steps what each claim runs, by its id
   */
  static Path in(Path folder, String memoryLimit, Map<String, String> steps) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("study.yaml"), "name: some\nkind: claims\nquestion: Which of them hold?\n");
    String claims =
        steps.entrySet().stream()
            .map(step -> CLAIM.replace("NAME", step.getKey()).replace("STEP", step.getValue()))
            .collect(Collectors.joining("", HEAD.replace("LIMIT", memoryLimit), ""));
    Files.writeString(folder.resolve("claims.yaml"), claims);
    return folder;
  }

  /** So many virtual threads that sleep so long. */
  static String sleepers(int tasks, String sleep) {
    return "run: java thread-ramp, args: --model virtual --tasks %d --sleep %s".formatted(tasks, sleep);
  }
}
