package echoladder.harness.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that has the logs of all rungs: each is given back as it was, and the file is unpacked once for all of them. */
class AllLogsTest {
  private static final String TEXT =
      """
      #[Histogram log format version 1.3]
      "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
      Tag=a-100:response,0.0,1.0,7.0,ABC
      Tag=a-100:service,0.0,1.0,7.0,DEF
      Tag=a-1000:response,0.0,1.0,8.0,GHI
      Tag=nobody,0.0,1.0,8.0,JKL
      """;

  @TempDir private Path dir;

  private PlainFiles files(String text) throws IOException {
    PlainFiles files = new PlainFiles(dir);
    files.replace(PublishedRecord.TIMES, PublishedRecord.packed(text));
    return files;
  }

  private static String lines(PlainFiles files, String name) throws IOException {
    return new String(AllLogs.of(files).lines(name), StandardCharsets.ISO_8859_1);
  }

  @Test
  void eachLogIsGivenBackWithoutTheOthers() throws IOException {
    PlainFiles files = files(TEXT);
    String head = TEXT.substring(0, TEXT.indexOf("Tag="));
    assertThat(lines(files, "a-100.hlog")).isEqualTo(head + "Tag=response,0.0,1.0,7.0,ABC\nTag=service,0.0,1.0,7.0,DEF\n");
    assertThat(lines(files, "a-1000.hlog")).isEqualTo(head + "Tag=response,0.0,1.0,8.0,GHI\n");
    assertThatThrownBy(() -> lines(files, "a-1.hlog")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void theFileIsUnpackedOnceAndAgainWhenItIsAnother() throws IOException {
    PlainFiles files = files(TEXT);
    assertThat(AllLogs.of(files)).isSameAs(AllLogs.of(new PlainFiles(dir)));
    files(TEXT.replace("GHI", "XYZ"));
    assertThat(lines(files, "a-1000.hlog")).endsWith("Tag=response,0.0,1.0,8.0,XYZ\n");
    Files.delete(dir.resolve(PublishedRecord.TIMES));
    assertThatThrownBy(() -> AllLogs.of(files)).isInstanceOf(NoSuchFileException.class);
  }
}
