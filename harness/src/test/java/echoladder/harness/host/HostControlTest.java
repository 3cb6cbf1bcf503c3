package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Protocol;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Checkout;
import echoladder.harness.probe.ReadingRecord;
import echoladder.harness.probe.Readings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line protocol of a control process, without a process. */
class HostControlTest {
  @TempDir private Path dir;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private Checkout checkout;

  @BeforeEach
  void checkout() {
    new TestCheckout(dir);
    checkout = new Checkout(dir);
  }

  /** Its exit status after those lines, once each question has its answer. */
  private int serve(int answers, HostLine... questions) throws IOException {
    StringBuilder text = new StringBuilder();
    for (HostLine question : questions) {
      text.append(question.text());
    }
    InputStream end =
        new InputStream() {
          @Override
          public int read() {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> answers().size() >= answers);
            return -1;
          }

          @Override
          public int read(byte[] into, int from, int most) {
            return read();
          }
        };
    return HostControl.serve(
        checkout, new SequenceInputStream(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)), end), out);
  }

  private List<HostLine> answers() {
    List<HostLine> answers = new ArrayList<>();
    out.toString(StandardCharsets.UTF_8).lines().forEach(line -> answers.add(HostLine.parse(line)));
    return answers;
  }

  private HostLine answer(long id) {
    return answers().stream().filter(line -> line.id() == id).findFirst().orElseThrow();
  }

  @Test
  void everyQuestionHasAnAnswerOfItsNumber() throws IOException {
    assertThat(
            serve(
                4,
                HostLine.question(7, HostOp.HELLO, null),
                HostLine.question(8, HostOp.PING, null),
                HostLine.question(9, HostOp.READ, new HostReplies.Depth(Readings.Depth.BORDER)),
                HostLine.question(10, HostOp.SETTINGS, null)))
        .isZero();
    HostHello hello = answer(7).as(HostHello.class);
    assertThat(hello.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(hello.facts().nofileHard()).isPositive();
    assertThat(hello.program()).isNotEmpty();
    assertThat(answer(8).as(HostReplies.Clock.class).ns()).isPositive();
    ReadingRecord read = answer(9).as(ReadingRecord.class);
    assertThat(read.reading(1_000).monotonicNs).isEqualTo(read.monotonicNs() - 1_000);
    assertThat(read.processors()).isNotEmpty();
    assertThat(answer(10).as(HostReplies.SettingValues.class).values()).containsKey("nofile");
  }

  @Test
  void whatCannotBeDoneIsAnsweredWithWhyAndTheNextQuestionIsTaken() throws IOException {
    assertThat(
            serve(
                5,
                HostLine.question(1, HostOp.SERVER_ENDING, new HostReplies.Doubted(false)),
                HostLine.question(2, HostOp.START_SERVER, new ServerOrder("none", Map.of(), null, "127.0.0.1", null, 1, 1)),
                HostLine.question(3, HostOp.ASK_SHARD, new HostReplies.ShardText(5, "{}")),
                HostLine.question(4, HostOp.ECHO_CHECK, new HostReplies.Check(Protocol.TCP, "127.0.0.1", 1, null)),
                HostLine.question(5, HostOp.PING, null)))
        .isZero();
    assertThat(answer(1).error()).isEqualTo("no server was started");
    assertThat(answer(2).error()).startsWith("there is no server 'none' in ");
    assertThat(answer(3).error()).isEqualTo("there is no client process 5");
    assertThat(answer(4).error()).startsWith("echo check of 127.0.0.1:1 failed");
    assertThat(answer(5).error()).isNull();
  }

  /** Questions may come all the same, as where a program between both ends has lost one direction. */
  @Test
  void anAnswerThatReachesNobodyEndsIt() throws IOException {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    byte[] question = HostLine.question(1, HostOp.PING, null).text().getBytes(StandardCharsets.UTF_8);
    InputStream asked = new ByteArrayInputStream(question);
    InputStream on =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("it reads on");
          }

          @Override
          public int read(byte[] into, int from, int most) {
            return read();
          }
        };
    assertThat(HostControl.serve(checkout, new SequenceInputStream(asked, on), broken)).isEqualTo(3);
  }

  @Test
  void garbageEndsIt() throws IOException {
    assertThat(HostControl.serve(checkout, new ByteArrayInputStream("HELLO\n".getBytes(StandardCharsets.UTF_8)), out)).isEqualTo(2);
    assertThat(HostControl.serve(checkout, new ByteArrayInputStream("{\"id\":1,\"op\":\"NO\"}\n".getBytes(StandardCharsets.UTF_8)), out))
        .isEqualTo(2);
    assertThat(out.size()).isZero();
  }

  @Test
  void aLineWithoutEndEndsItAtItsBound() throws IOException {
    InputStream endless =
        new InputStream() {
          private long given;

          @Override
          public int read() {
            given++;
            assertThat(given).as("bytes taken of a line without end").isLessThan(2L * HostLine.QUESTION_MOST_BYTES);
            return '{';
          }

          @Override
          public int read(byte[] into, int from, int most) {
            into[from] = (byte) read();
            return 1;
          }
        };
    assertThat(HostControl.serve(checkout, endless, out)).isEqualTo(2);
  }

  @Test
  void theEndOfStdinEndsTheServer() throws IOException {
    assertThat(
            serve(1, HostLine.question(1, HostOp.START_SERVER, new ServerOrder("fake", Map.of(), null, "127.0.0.1", null, 77, 30_000_000_000L))))
        .isZero();
    ServerUp up = answer(1).as(ServerUp.class);
    assertThat(up.ready().port()).isPositive();
    assertThat(Objects.requireNonNull(up.command())).isNotEmpty();
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> ProcessHandle.of(up.ready().pid()).filter(ProcessHandle::isAlive).isEmpty());
  }
}
