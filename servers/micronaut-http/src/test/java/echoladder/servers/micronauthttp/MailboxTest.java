package echoladder.servers.micronauthttp;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.DescriptorReserve;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.ServerLog;
import echoladder.servers.kit.options.PushOptions;
import io.netty.channel.embedded.EmbeddedChannel;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MailboxTest {
  private static final int KIB = 1 << 10;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final EchoMetrics metrics = new EchoMetrics();
  private final ServerLog log = new ServerLog("micronaut-http", new PrintStream(OutputStream.nullOutputStream()));
  private final EchoContext context =
      new EchoContext(metrics, new AcceptErrors(metrics, new DescriptorReserve(), log, () -> 0), log, registry, because -> {});
  private final EmbeddedChannel channel = new EmbeddedChannel();

  /** Keeps what is handed over, as if the kernel took nothing. */
  private static final class Kept extends Mailbox {
    private final List<Outgoing> handed = new ArrayList<>();
    private boolean wanted = true;
    private boolean finished;

    Kept(PushHub hub, EmbeddedChannel channel, EchoMetrics metrics) {
      super(hub, channel, metrics);
    }

    @Override
    boolean wanted() {
      return wanted;
    }

    @Override
    void hand(Outgoing next) {
      handed.add(next);
    }

    @Override
    void leaveAll() {}

    @Override
    void finished() {
      finished = true;
    }
  }

  private Kept mailbox(String... options) {
    PushOptions push = CommandLine.populateCommand(new PushOptions(), options);
    return new Kept(new PushHub(context, push), channel, metrics);
  }

  private static Outgoing message(int number) {
    byte[] bytes = new byte[16 * KIB];
    bytes[0] = (byte) number;
    return Outgoing.message(bytes);
  }

  private static List<Integer> numbers(Kept mailbox) {
    return mailbox.handed.stream().map(each -> (int) each.bytes()[0]).toList();
  }

  private List<String> page() throws IOException {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(page, registry.scrape());
    return page.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void noMoreIsHandedOverThanMayBeInHandAndTheRestWhenTheKernelTookThat() throws IOException {
    Kept mailbox = mailbox();
    for (int i = 0; i < 6; i++) {
      assertThat(mailbox.message(message(i))).isTrue();
    }
    assertThat(numbers(mailbox)).isEqualTo(List.of(0, 1, 2, 3));
    mailbox.written(mailbox.handed.getFirst());
    assertThat(numbers(mailbox)).isEqualTo(List.of(0, 1, 2, 3, 4));
    mailbox.finish();
    assertThat(mailbox.message(message(9))).as("a message behind the end").isFalse();
    assertThat(mailbox.finished).isFalse();
    mailbox.written(mailbox.handed.get(1));
    assertThat(mailbox.finished).as("all that waited is handed over").isTrue();
    assertThat(page()).contains("echo_push_messages_total 2.0", "echo_push_dropped_total 0.0", "echo_push_queued_bytes " + 4.0 * 16 * KIB);
  }

  @Test
  void whoTakesNothingHasTheNewestMessagesAndEachReply() throws IOException {
    Kept mailbox = mailbox("--slow-reader", "drop-oldest", "--push-queue-bytes", "" + 40 * KIB);
    mailbox.wanted = false;
    mailbox.reply(new byte[] {100});
    for (int i = 0; i < 5; i++) {
      assertThat(mailbox.message(message(i))).isTrue();
    }
    mailbox.wanted = true;
    mailbox.handOver();
    assertThat(numbers(mailbox)).isEqualTo(List.of(100, 3, 4));
    assertThat(page()).contains("echo_push_dropped_total 3.0");
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void aFullQueueEndsTheConnectionOnce() throws IOException {
    Kept mailbox = mailbox("--push-queue-bytes", "" + 20 * KIB);
    mailbox.wanted = false;
    assertThat(mailbox.message(message(0))).isTrue();
    assertThat(mailbox.message(message(1))).isFalse();
    assertThat(mailbox.message(message(2))).isFalse();
    assertThat(channel.isOpen()).isFalse();
    assertThat(page()).contains("echo_push_disconnected_total 1.0", "echo_push_dropped_total 1.0", "echo_push_queued_bytes 0.0");
  }
}
