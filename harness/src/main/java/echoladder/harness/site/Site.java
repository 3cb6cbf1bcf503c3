package echoladder.harness.site;

import static echoladder.harness.site.SiteTable.link;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.Units;
import echoladder.harness.common.YamlTree;
import echoladder.harness.explain.Topics;
import echoladder.harness.report.page.Page;
import echoladder.harness.report.words.Html;
import echoladder.harness.server.ServerManifest;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a site. Every Markdown page of the repository becomes a page at its own path, and every file that a page links to, and all files
 * of the published runs, are copied to theirs; so the links between pages stay as they are. The same files give the same bytes.
 */
public final class Site {
  /** Folders whose pages are for readers; of other folders those that are linked to. */
  private static final List<String> FOLDERS = List.of("clients", "deploy", "docs", "results", "runbooks", "servers", "studies", "sysctl");

  /** Sources and builds are no pages. */
  private static final Set<String> SKIPPED = Set.of("target", "src");

  /** A folder's own page, in this order. */
  private static final Pattern INDEX = Pattern.compile("(?:^|(?<=/))(README|STUDY|REPORT|LEDGER)\\.md$");

  /** A larger file stays in the repository. */
  private static final long MOST_FILE_BYTES = 8L << 20;

  /** Raw data of all runs: half of what GitHub Pages takes. */
  private static final long MOST_BYTES = 512L << 20;

  /** A plot of more stands in its page as a picture, without the page's colours. */
  private static final long MOST_INLINE_BYTES = 256L << 10;

  private static final Pattern MEANING = Pattern.compile("(?s)\n## Meaning\n+(.+?)(?:\n\n|\n#|\n- |$)");

  private static final String NO_RAW_DATA =
      "No raw data is here: this site was made from a release, which has the reports of the published runs. The repository has their data.";

  private static final String STUDY = "studies/[^/]+/STUDY\\.md";

  private final Path root;
  private final SiteFiles out;
  private final PublishedLists lists;
  private final Map<String, ServerManifest> servers;
  private final SiteLayout layout = new SiteLayout();
  private final ResultPages results;
  private final ServerPages serverPages;
  private final Set<String> pages;

  /** Files to be copied, found on the way. */
  private final Set<String> files = new TreeSet<>();

  /** Folders that are linked to. */
  private final Set<String> folders = new TreeSet<>();

  /** Titles of the pages that were made, by their paths. */
  private final Map<String, String> titles = new TreeMap<>();

  private Site(Checkout checkout, PublishedLists lists, SiteFiles out) throws IOException {
    this.root = checkout.root();
    this.out = out;
    this.lists = lists;
    servers = ServerManifest.all(checkout);
    results = new ResultPages(lists);
    serverPages = new ServerPages(lists, servers);
    pages = sources();
  }

  /** What was written. */
  public record Made(int pages, int files, long bytes) {}

  /**
   * Writes the site of a checkout or an unpacked release into a folder.
   *
   * @throws Refusal (bad usage) where there are no results, or the folder has files of others
   */
  public static Made build(Checkout checkout, Path dir) {
    PublishedLists lists = PublishedLists.read(checkout.root());
    SiteFiles out = SiteFiles.open(dir);
    try {
      return new Site(checkout, lists, out).write(checkout);
    } catch (UncheckedIOException e) {
      throw unwritten(dir, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw unwritten(dir, e);
    }
  }

  private static Refusal unwritten(Path dir, IOException why) {
    return Refusal.cannotRun(
        "cannot write the site into %s: %s; make room there or give another folder with --out DIR, and do it again".formatted(
            dir, ErrorText.of(why)));
  }

  private Made write(Checkout checkout) throws IOException {
    out.write("report.css", Page.styles());
    out.write("site.css", SiteLayout.resource("site.css"));
    out.write("explain.js", SiteLayout.resource("explain.js"));
    out.write("explain.table.js", SymptomsPage.table(Topics.of(checkout)));
    lists.runs().forEach(run -> files.addAll(filesIn(PublishedLists.folder(run))));
    files.addAll(filesIn("results"));
    refuseIfTooLarge(files.stream().filter(this::copied).mapToLong(this::size).sum());
    Set<String> done = new TreeSet<>();
    while (done.size() < pages.size()) {
      // A page may link to one that is in none of the folders.
      for (String source : List.copyOf(pages)) {
        if (done.add(source)) {
          page(source);
        }
      }
    }
    for (ServerManifest server : servers.values()) {
      put(ServerPages.path(server.name()), server.title(), serverPages.page(server), "");
    }
    put("studies/index.html", "Studies", "<h1>Studies</h1>\n" + results.studies(questions()), "");
    put("results/index.html", "Published runs",
        "<h1>Published runs</h1>\n<p>The lists as files: " + links("results", filesIn("results")) + ".</p>\n" + results.runs(), "");
    put(SymptomsPage.PATH, "Why does it stop?", SymptomsPage.body(meanings()), "");
    folders();
    for (String file : files) {
      if (copied(file)) {
        out.write(file, Files.readAllBytes(root.resolve(file)));
      }
    }
    out.finish();
    return new Made(titles.size(), out.count(), out.bytes());
  }

  static void refuseIfTooLarge(long bytes) {
    if (bytes > MOST_BYTES) {
      throw Refusal.badUsage(
          "the raw data of the published runs is %s, and a site takes at most %s; compress the records of old runs, or leave runs out of "
              .formatted(Units.bytes(bytes), Units.bytes(MOST_BYTES)) + "results/reference and write the lists again by './ladder index'");
    }
  }

  private Set<String> sources() throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> above = Files.list(root)) {
      above.filter(Site::isPage).forEach(file -> found.add(shown(file)));
    }
    for (String folder : FOLDERS) {
      if (Files.isDirectory(root.resolve(folder))) {
        Files.walkFileTree(
            root.resolve(folder),
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                String name = String.valueOf(dir.getFileName());
                return SKIPPED.contains(name) || name.startsWith(".") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (isPage(file)) {
                  found.add(shown(file));
                }
                return FileVisitResult.CONTINUE;
              }
            });
      }
    }
    return found;
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md") && Files.isRegularFile(file);
  }

  private String shown(Path file) {
    return root.relativize(file).toString();
  }

  /** Where a page of the repository stands in the site. */
  static String path(String source) {
    Matcher index = INDEX.matcher(source);
    return index.find() ? index.replaceFirst("index.html") : source.replaceFirst("\\.md$", ".html");
  }

  private void page(String source) throws IOException {
    String path = path(source);
    SiteText text = SiteText.of(Files.readString(root.resolve(source)), new FromPage(source));
    String title = text.title().isEmpty() ? source : text.title();
    String body = text.title().isEmpty() ? "<h1>" + Html.escaped(source) + "</h1>\n" + text.html() : text.html();
    String above = text.contents();
    String folder = source.replaceFirst("/?[^/]*$", "");
    if (source.equals("README.md")) {
      String answers =
          text.sections().stream()
              .limit(2)
              .map(of -> "<p>%s %s</p>".formatted(
                  link("#" + of.id(), of.title()), Html.escaped(String.join(" ", of.leads()))))
              .collect(Collectors.joining());
      // Below the question, which is its first paragraph.
      body = body.replaceFirst("(?s)(</h1>.*?</p>)", "$1" + Matcher.quoteReplacement(results.front(answers)));
      above = "";
    } else if (source.matches(STUDY)) {
      String study = folder.substring("studies/".length());
      above = results.study(study, text.sections()) + above;
      body += published(study) + filesOf(folder);
    } else if (source.equals("servers/README.md")) {
      above = serverPages.table() + above;
    } else if (source.matches("results/reference/[^/]+/[^/]+/[^/]+\\.md")) {
      String study = lists.studies().get(source.split("/", -1)[2]);
      String of = study == null ? "" : " of the study " + link("../../../../studies/" + study + "/index.html", study);
      above = "<p class=\"muted\">A published run%s. %s</p>\n".formatted(of, link("#files", "Raw data")) + above;
      String raw = filesOf(folder);
      body += raw.isEmpty() ? "<h2 id=\"files\">Files</h2>\n<p>" + NO_RAW_DATA + "</p>\n" : raw;
    }
    put(path, title, body.replaceFirst("</h1>", "</h1>\n" + Matcher.quoteReplacement(above)), source);
  }

  private void put(String path, String title, String body, String source) throws IOException {
    titles.put(path, title);
    out.write(path, layout.page(path, title, body, source));
  }

  /** The runs of a study: the plots of the latest that has some, and links to all. */
  private String published(String study) {
    StringBuilder html = new StringBuilder("<h2 id=\"published-runs\">Published runs, with plots and raw data</h2>\n");
    boolean drawn = false;
    for (Map<String, String> run : lists.runsOf(study)) {
      String folder = PublishedLists.folder(run);
      html.append("<h3>%s</h3>\n<p>%s. %s. %s</p>\n".formatted(
          link("../../" + folder + "/index.html", PublishedLists.id(run)), PublishedLists.verdicts(run),
          Html.escaped(PublishedLists.host(run)), link("../../" + folder + "/index.html#files", "Raw data")));
      List<String> plots = drawn ? List.of() : filesIn(folder).stream().filter(file -> file.endsWith(".svg")).toList();
      for (String plot : plots) {
        html.append(new FromPage("studies/" + study + "/STUDY.md").picture("../../" + plot, plot.replaceFirst(".*/", ""))).append('\n');
        drawn = true;
      }
    }
    return lists.runsOf(study).isEmpty() ? html.append("<p>None is published.</p>\n").toString() : html.toString();
  }

  private String filesOf(String folder) {
    List<String> all = filesIn(folder);
    files.addAll(all);
    return all.isEmpty() ? "" : "<h2 id=\"files\">Files</h2>\n<p>" + links(folder, all) + "</p>\n";
  }

  /** Links to the files of a folder, from its own page, each with its size. */
  private String links(String folder, Collection<String> all) {
    return all.stream()
        .map(file -> {
          String name = file.substring(folder.length() + 1);
          String size = Units.bytes(size(file));
          return copied(file) ? link(name, name) + " <span class=\"muted\">" + size + "</span>"
              : Html.escaped(name) + " <span class=\"muted\">" + size + ", in the repository only</span>";
        })
        .collect(Collectors.joining(", "));
  }

  /** The files of a folder that are no pages, in the order of their names. */
  private List<String> filesIn(String folder) {
    Path dir = root.resolve(folder);
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(dir)) {
      return all.filter(file -> Files.isRegularFile(file) && !isPage(file) && !shown(file).contains("/."))
          .map(this::shown)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long size(String file) {
    try {
      return Files.size(root.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean copied(String file) {
    return size(file) <= MOST_FILE_BYTES;
  }

  /** By the name of a study: what it asks, in a sentence. */
  private Map<String, String> questions() {
    Map<String, String> all = new TreeMap<>();
    for (String source : pages) {
      if (source.matches(STUDY)) {
        String file = source.replace("STUDY.md", "study.yaml");
        String question = YamlTree.read(root.resolve(file), file).root().path("question").asString("");
        all.put(source.split("/", -1)[1], question);
      }
    }
    return all;
  }

  /** By the name of a symptom: the first paragraph of its meaning. */
  private Map<String, String> meanings() throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (String source : pages) {
      if (source.matches("runbooks/symptoms/[^/]+\\.md")) {
        Matcher meaning = MEANING.matcher(Files.readString(root.resolve(source)));
        String text = meaning.find() ? meaning.group(1).replace('\n', ' ').replaceAll("\\[([^]]+)]\\([^)]*\\)", "$1") : "";
        all.put(source.substring("runbooks/symptoms/".length()).replaceFirst("\\.md$", ""), text);
      }
    }
    return all;
  }

  /** A page for every folder above a page, or that is linked to, and has none of its own: what is in it. */
  private void folders() throws IOException {
    TreeSet<String> all = new TreeSet<>(folders);
    for (String path : List.copyOf(titles.keySet())) {
      for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
        all.add(path.substring(0, slash));
      }
    }
    // Those below first, so that the ones above list them.
    for (String folder : all.descendingSet()) {
      String path = folder + "/index.html";
      if (!out.has(path)) {
        SiteTable table = new SiteTable("page", "about");
        titles.forEach(
            (page, title) -> {
              String rest = page.startsWith(folder + "/") ? page.substring(folder.length() + 1) : "";
              if (rest.matches("[^/]+\\.html|[^/]+/index\\.html")) {
                table.row(link(rest, rest.replaceFirst("(/index)?\\.html$", "")), Html.escaped(title));
              }
            });
        put(path, folder, "<h1>%s</h1>\n%s".formatted(Html.escaped(folder), table.html()) + filesOf(folder), "");
      }
    }
  }

  /** Links of one page, as addresses from where it stands. */
  private final class FromPage implements SiteText.Links {
    private final Path folder;

    FromPage(String source) {
      folder = Path.of("/" + source).resolveSibling("");
    }

    @Override
    public @Nullable String link(String target) {
      if (target.startsWith("#") || target.matches("(?:https?|mailto):.*")) {
        return target;
      }
      String[] parts = target.split("#", 2);
      String source = folder.resolve(parts[0]).normalize().toString().substring(1);
      Path file = root.resolve(source);
      String to;
      if (source.isEmpty()) {
        to = "index.html";
      } else if (Files.isDirectory(file)) {
        folders.add(source);
        to = source + "/index.html";
      } else if (isPage(file)) {
        pages.add(source);
        to = path(source);
      } else if (Files.isRegularFile(file) && copied(source)) {
        files.add(source);
        // A line of a source, as #L12, is known to a code host alone.
        return relative(source);
      } else {
        return null;
      }
      return relative(to) + (parts.length > 1 ? "#" + parts[1] : "");
    }

    private String relative(String to) {
      return folder.relativize(Path.of("/" + to)).toString();
    }

    @Override
    public @Nullable String named(String path) {
      boolean page = path.matches("[A-Za-z0-9./_-]+\\.md") && !path.contains("..") && Files.isRegularFile(root.resolve(path));
      return page && pages.contains(path) ? relative(path(path)) : null;
    }

    @Override
    public String picture(String target, String alt) {
      String to = link(target);
      if (to == null || target.contains(":")) {
        return Html.escaped(alt);
      }
      String source = folder.resolve(target).normalize().toString().substring(1);
      boolean plot = source.endsWith(".svg") && source.startsWith("results/") && size(source) <= MOST_INLINE_BYTES;
      if (!plot) {
        return "<img src=\"%s\" alt=\"%s\" loading=\"lazy\">".formatted(Html.escaped(to), Html.escaped(alt));
      }
      try {
        // In the page it has the page's colours; its own title and description stay with it.
        return "<span class=\"plot\" tabindex=\"0\">%s</span>".formatted(Files.readString(root.resolve(source)).strip());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
