package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.site.Site;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ladder site}: the pages and the published results as a static site. */
@Command(
    name = "site",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write a static site: the answers, each study with its plots, conclusion and raw data, a page per server with its "
        + "history over runs and versions, the claims, and a search that explains error texts and numbers. Its pages open from disk and "
        + "load nothing from a network. The same checkout gives the same bytes.",
    footer = {
      "",
      "Example: write it, then open target/site/index.html",
      "  ladder site --out target/site",
      "",
      "Exit status: 0 written; 2 bad usage, as DIR has files of others, or there are no results; 3 DIR takes no files."
    })
public final class SiteVerb implements Callable<Integer> {
  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "The folder of the site: empty, absent, or with a site that this verb wrote, which is replaced.")
  private Path out = Path.of("");

  @Override
  public Integer call() {
    Site.Made made = Site.build(Checkout.find(), out);
    System.out.printf(
        "%,d pages among %,d files, %s: %s%n", made.pages(), made.files(), Units.bytes(made.bytes()), out.resolve("index.html"));
    System.out.flush();
    return 0;
  }
}
