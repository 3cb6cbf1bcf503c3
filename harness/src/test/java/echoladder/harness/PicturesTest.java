package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The script that records a terminal, and the recording that a page shows. */
class PicturesTest {
  private static final Path PICTURES = Path.of("../docs/pictures").toAbsolutePath().normalize();

  @TempDir private Path dir;

  private record Ended(int status, String said) {}

  private static Ended python(String... arguments) throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(List.of("/usr/bin/python3", "-B"));
    argv.addAll(List.of(arguments));
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }

  /** The words of a picture, each as {@code text colour}, and behind it when it comes and goes. */
  private static List<String> words(String svg) throws Exception {
    NodeList texts =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8))).getElementsByTagName("text");
    List<String> words = new ArrayList<>();
    for (int i = 0; i < texts.getLength(); i++) {
      Element text = (Element) texts.item(i);
      NodeList plays = text.getElementsByTagName("set");
      Element play = plays.getLength() == 0 ? null : (Element) plays.item(0);
      words.add(
          text.getTextContent() + " " + text.getAttribute("fill")
              + (play == null ? "" : " " + play.getAttribute("to") + " " + play.getAttribute("begin") + "-" + play.getAttribute("end")));
    }
    return words;
  }

  @Needs(Need.PYTHON)
  @Test
  void theLastScreenOfACommandIsDrawnWithItsColours() throws Exception {
    Path svg = dir.resolve("out.svg");
    Ended ended = python(PICTURES.resolve("terminal.py").toString(), svg.toString(), "40x6", "sh", "-c", "printf 'one\\rtwo\\n\\033[31mred <\\033[0m\\n'; exit 3");
    assertThat(ended.status()).as(ended.said()).isEqualTo(3);
    List<String> words = words(Files.readString(svg));
    assertThat(words.getFirst()).startsWith("$ sh -c printf");
    assertThat(words).anyMatch(word -> word.startsWith("two #e6edf3")).anyMatch(word -> word.startsWith("red < #ff7b72"));
  }

  /** Words come and go as the command wrote them, a pause is cut, and a control sequence in two pieces is one. */
  @Needs(Need.PYTHON)
  @Test
  void aRecordingPlaysAsTheCommandWrote() throws Exception {
    String script =
        "import sys; sys.path.insert(0, '" + PICTURES + "'); import terminal\n"
            + "pieces = [(0.0, 'one'), (0.5, '\\r\\x1b[Ktwo\\n\\x1b['), (5.0, '31mred\\x1b[0m\\n'), (5.1, 'over\\r'), (5.2, 'last\\n')]\n"
            + "words = terminal.recording(pieces, 5)\nprint(terminal.svg(words, '$ x', 40))";
    Ended ended = python("-c", script);
    assertThat(ended.status()).as(ended.said()).isZero();
    assertThat(words(ended.said()))
        .containsExactly(
            "$ x #e6edf3", "one #e6edf3 visible 0.00s-0.50s", "two #e6edf3 hidden 0s-0.50s", "red #ff7b72 hidden 0s-1.70s", "last #e6edf3 hidden 0s-1.70s");
  }

  @Test
  void aPageShowsARecordingOfARun() throws Exception {
    List<String> words = words(Files.readString(PICTURES.resolve("run.svg")));
    assertThat(words.getFirst()).startsWith("$ ./ladder run smoke");
    assertThat(words).anyMatch(word -> word.contains(" visible ")).anyMatch(word -> word.contains("report: results/smoke/"));
    assertThat(Path.of("../docs/FIRST-TEN-MINUTES.md")).content().contains("](pictures/run.svg)");
  }
}
