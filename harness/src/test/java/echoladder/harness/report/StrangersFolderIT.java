package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.SamplesFile;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run's folder that somebody else made: nothing outside of it is written or read, and nothing in it takes all memory. */
class StrangersFolderIT {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");
  private static final String HEAD =
      "#[Histogram log format version 1.3]\n#[StartTime: 1767268800.000 (seconds since epoch), x]\n#[BaseTime: 1767268800.000 (seconds since epoch)]\n\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";

  @TempDir private Path dir;
  @TempDir private Path elsewhere;
  private Path victim = Path.of("never-used");

  @BeforeEach
  void aFolderAndSomethingElse() throws IOException {
    Files.copy(GOLDEN, dir.resolve("run.json"));
    victim = Files.writeString(elsewhere.resolve("victim"), "alias ls=ls\n");
  }

  private void victimIsAsItWas() {
    assertThat(victim).hasContent("alias ls=ls");
  }

  private List<String> report() throws IOException {
    RunFolder folder = RunFolder.open(dir);
    return ReportFiles.write(folder, folder.read());
  }

  private static String log(RunRecord run) {
    return run.rungs().stream().filter(RungRecord::valid).map(RungRecord::histograms).findFirst().map(Objects::requireNonNull).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {".REPORT.md.next", "REPORT.md", "report.html", "run.lock", "samples.csv", "any"})
  void aLinkIsRefusedAndNotFollowed(String name) throws IOException {
    Files.createSymbolicLink(dir.resolve(name), victim);
    assertThatThrownBy(this::report)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("is not opened: " + name + " is a link to " + victim);
    // Where one is made after the folder was looked at, it is replaced.
    RunFolder folder = new RunFolder(dir);
    ReportFiles.write(folder, folder.read());
    victimIsAsItWas();
    assertThat(dir.resolve("REPORT.md")).isRegularFile();
  }

  @Test
  void runJsonThatIsALinkIsRefused() throws IOException {
    Path real = Files.move(dir.resolve("run.json"), elsewhere.resolve("run.json"));
    Files.createSymbolicLink(dir.resolve("run.json"), real);
    assertThatThrownBy(this::report).isInstanceOf(Refusal.class).hasMessageContaining("run.json is a link to");
    assertThatThrownBy(() -> new RunFolder(dir).read()).isInstanceOf(Refusal.class).hasMessageContaining("no regular file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"samples.csv", "run.json"})
  void aPipeIsRefusedAndNotWaitedFor(String name) throws Exception {
    makes("mkfifo", dir.resolve(name).toString());
    isRefusedAndNotRead(name);
  }

  /** /dev/zero under another name, which has no end. */
  @Needs(Need.DEVICES)
  @ParameterizedTest
  @ValueSource(strings = {"samples.csv", "run.json"})
  void aDeviceIsRefusedAndNotRead(String name) throws Exception {
    makes("mknod", dir.resolve(name).toString(), "c", "1", "5");
    isRefusedAndNotRead(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"samples.csv", "run.json"})
  void aSocketIsRefusedAndNotConnectedTo(String name) throws Exception {
    Files.deleteIfExists(dir.resolve(name));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(dir.resolve(name)));
      isRefusedAndNotRead(name);
    }
  }

  private static void makes(String program, String path, String... more) throws Exception {
    Files.deleteIfExists(Path.of(path));
    List<String> argv = new ArrayList<>(List.of(program, path));
    argv.addAll(List.of(more));
    assertThat(new ProcessBuilder(argv).start().waitFor()).isZero();
  }

  private void isRefusedAndNotRead(String name) throws IOException {
    assertThatThrownBy(this::report).isInstanceOf(Refusal.class).hasMessageContaining(name + " is a pipe, a socket or a device");
    RunFolder folder = new RunFolder(dir);
    if (name.equals("run.json")) {
      assertThatThrownBy(folder::read).isInstanceOf(Refusal.class).hasMessageContaining("no regular file");
    } else {
      assertThat(ReportFiles.write(folder, folder.read())).anyMatch(note -> note.contains("samples.csv is no regular file"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "../victim.hlog", "..", "a/b.hlog", "", ".hlog", "x.hlog\\nrun.json"})
  void whatLeadsOutOfTheFolderIsNoNameOfALog(String name) throws IOException {
    String json = Files.readString(GOLDEN);
    String log = log(RunFolder.parse(json));
    Files.writeString(dir.resolve("run.json"), json.replace("\"" + log + "\"", "\"" + name + "\""));
    assertThatThrownBy(this::report).isInstanceOf(Refusal.class).hasMessageContaining("/histograms: ");
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).as("nothing was written").containsExactly(dir.resolve("run.json"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "/etc/passwd", "a/b", "", ".", "..", "a\nb", "-rf"})
  void aNameThatLeadsElsewhereIsNone(String name) {
    assertThatThrownBy(() -> new RunFolder(dir).file(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void runJsonIsCheckedByItsSchemaFirst() throws IOException {
    String json = Files.readString(GOLDEN);
    for (String[] change :
        new String[][] {
          {"\"started_at\": \"2", "\"started_at\": \"noon 2", "/started_at"},
          {"\"started_at\": \"2026-01-0", "\"started_at\": \"2026-02-3", "/started_at"},
          {"\"run_id\": \"", "\"run_id\": \"../", "/run_id"},
          {"\"rungs\": [\n    {", "\"rungs\": [1,\n    {", "/rungs"},
        }) {
      assertThat(json).contains(change[0]);
      Files.writeString(dir.resolve("run.json"), json.replaceFirst(Pattern.quote(change[0]), change[1]));
      assertThatThrownBy(this::report)
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("not a run.json of this ladder")
          .hasMessageContaining(change[2]);
    }
  }

  /** Files with holes: they have their size and take no room. */
  @Test
  void absurdSizesAreRefused() throws IOException {
    String log = log(RunFolder.parse(Files.readString(GOLDEN)));
    for (String name : List.of(log, SamplesFile.NAME)) {
      try (RandomAccessFile file = new RandomAccessFile(dir.resolve(name).toFile(), "rw")) {
        file.setLength(1L << 40);
      }
    }
    assertThat(report())
        .anyMatch(note -> note.startsWith(log + ": it could not be read (" + log + " is larger than"))
        .anyMatch(note -> note.startsWith("samples.csv: it could not be read (samples.csv is larger than"));
    try (RandomAccessFile file = new RandomAccessFile(dir.resolve("run.json").toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    assertThatThrownBy(this::report).isInstanceOf(Refusal.class).hasMessageContaining("run.json is larger than");
  }

  private static String histogram(int payloadBytes, int digits, long highest, int zeros) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream deflater = new DeflaterOutputStream(packed)) {
      ByteBuffer header = ByteBuffer.allocate(40);
      header.putInt(0x1c849313).putInt(payloadBytes).putInt(0).putInt(digits).putLong(1).putLong(highest).putDouble(1);
      deflater.write(header.array());
      deflater.write(new byte[zeros]);
    }
    ByteBuffer line = ByteBuffer.allocate(8 + packed.size());
    line.putInt(0x1c849314).putInt(packed.size()).put(packed.toByteArray());
    return Base64.getEncoder().encodeToString(line.array());
  }

  private String noteOf(String lines) throws IOException {
    RunRecord run = RunFolder.parse(Files.readString(GOLDEN));
    Files.writeString(dir.resolve(log(run)), HEAD + lines);
    return report().stream().filter(note -> note.startsWith(log(run) + ": ")).findFirst().orElse("");
  }

  /** A line of a hundred bytes, or of some thousand, that asks for gigabytes. */
  @Test
  void aHistogramThatSwellsIsNotUnpacked() throws IOException {
    String data = "Tag=response,0.000,1.000,0.100,";
    assertThat(noteOf(data + histogram(Integer.MAX_VALUE - 8, 3, 3_600_000_000_000L, 0) + "\n"))
        .contains("line 5: its histogram says of itself that it has 2,147,483,639 bytes");
    assertThat(noteOf(data + histogram(64 << 20, 3, 3_600_000_000_000L, 64 << 20) + "\n")).contains("line 5: ");
    assertThat(noteOf(data + histogram(100, 5, Long.MAX_VALUE, 100) + "\n")).contains("5 digits");
    assertThat(noteOf(data + histogram(-1, 3, 3_600_000_000_000L, 0) + "\n")).contains("it has -1 bytes");
  }

  @Test
  void aLineWithoutEndIsNotRead() throws IOException {
    assertThat(noteOf("Tag=response,0.000,1.000,0.100,HISTF" + "A".repeat(3 << 20))).contains("line 5 is longer than 1,048,576 bytes");
  }

  @Test
  @Tag("long")
  void millionsOfLinesAreNotRead() throws IOException {
    assertThat(noteOf("#\n".repeat(2_000_001))).contains("it has more than 2,000,000 lines");
  }

  /** Rows that are no rows, and numbers that are none: what is not a sample is told. */
  @Test
  void samplesOfNonsenseAreTold() throws IOException {
    Files.writeString(dir.resolve("samples.csv"), SamplesFile.HEADER + "\n" + "x".repeat(1 << 20) + "\n,,,,\n");
    assertThat(report()).anyMatch(note -> note.startsWith("samples.csv: 2 of its 2 rows are cut"));
    Files.write(dir.resolve("samples.csv"), new byte[] {(byte) 0xff, '\n', (byte) 0xfe, 0, '\n'});
    assertThat(report()).anyMatch(note -> note.startsWith("samples.csv: "));
  }

  @Test
  void aSteadyStateOfAgesTakesNoRoomForThem() throws IOException {
    String json = Files.readString(GOLDEN).replaceAll("\"steady_seconds\": [0-9.]+", "\"steady_seconds\": 1e300");
    assertThat(json).contains("1e300");
    Files.writeString(dir.resolve("run.json"), json, StandardCharsets.UTF_8);
    assertThat(report()).isNotEmpty();
    assertThat(dir.resolve("report.html")).isRegularFile();
  }
}
