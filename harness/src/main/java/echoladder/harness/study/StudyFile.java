package echoladder.harness.study;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A study.yaml, found and read once: of a ladder, or of claims. */
public record StudyFile(Path path, YamlTree yaml) {

  /** The names of the studies of the checkout, sorted. */
  public static List<String> known(Checkout checkout) {
    if (!Files.isDirectory(checkout.studies())) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(checkout.studies())) {
      return folders
          .filter(folder -> Files.isRegularFile(folder.resolve("study.yaml")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + checkout.studies(), e);
    }
  }

  private static Path locate(Checkout checkout, String nameOrPath) {
    Path named = checkout.studies().resolve(nameOrPath).resolve("study.yaml");
    boolean isName = nameOrPath.matches("[A-Za-z0-9_-]+");
    if (isName && Files.isRegularFile(named)) {
      return named;
    }
    Path path = Path.of(nameOrPath);
    Path file = Files.isDirectory(path) ? path.resolve("study.yaml") : path;
    if (Files.isRegularFile(file)) {
      return file;
    }
    throw Refusal.badUsage(
        (isName ? "there is no study '" + nameOrPath + "'" : "there is no study file " + file)
            + "; known studies: "
            + String.join(", ", known(checkout))
            + "; or give the path of a study.yaml");
  }

  /**
   * The study.yaml that a user names: a study's name, or the path of the file or of its folder.
   *
   * @throws Refusal (bad usage) where there is none, naming those that there are, or it is no YAML
   */
  public static StudyFile named(Checkout checkout, String nameOrPath) {
    return at(checkout, locate(checkout, nameOrPath));
  }

  /** The one at that path. */
  public static StudyFile at(Checkout checkout, Path path) {
    return new StudyFile(path, YamlTree.read(path, checkout.display(path)));
  }

  /** The servers of a study that the file does not name: the command line did. */
  public List<String> without(Study study) {
    List<String> named = yaml.root().path("servers").valueStream().map(server -> server.isString() ? server : server.path("name"))
        .map(name -> name.asString("")).toList();
    return study.servers().stream().map(Study.Entry::server).filter(server -> !named.contains(server)).distinct().toList();
  }

  /** Whether it is of published claims, and climbs no ladder. */
  public boolean ofClaims() {
    return yaml.root().path("kind").asString("").equals("claims");
  }
}
