package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ladder explain} on this host: exit status, stdin, and both forms of the answer. */
class ExplainVerbTest {
  private record Ended(int status, String out) {}

  private static Ended explain(String in, String... arguments) {
    ExplainVerb verb = new ExplainVerb();
    new CommandLine(verb).parseArgs(arguments);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status =
        verb.explain(new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), new PrintStream(out, true, StandardCharsets.UTF_8));
    return new Ended(status, out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aTextHasItsCommandsAndItsPage() {
    Ended ended = explain("", "dial", "tcp", "10.0.0.7:443:", "connect:", "cannot", "assign", "requested", "address");
    assertThat(ended.status).isZero();
    assertThat(ended.out)
        .startsWith("1. no port left: No port is left for another connection")
        .contains(
            "\n   known    dial tcp 10.0.0.1:80: connect: cannot assign requested address\n",
            "\n   here     net.ipv4.ip_local_port_range = ", "\n   show     ./ladder doctor --pid PID, or: sysctl net.ipv4.ip_local_port_range",
            "\n   lift     sudo sysctl -w net.ipv4.ip_local_port_range='1024 65535'",
            "\n   page     runbooks/symptoms/ephemeral-ports-exhausted.md\n");
  }

  @Test
  void aLogIsReadFromStdin() {
    String log = "[   12.1] usb 1-1: new device\n[ 4242.0] nf_conntrack: nf_conntrack: table full, dropping packet\n";
    Ended ended = explain(log, "-", "--json");
    assertThat(ended.status).isZero();
    JsonNode answer = JsonMapper.shared().readTree(ended.out);
    assertThat(answer.path("found").asBoolean()).isTrue();
    JsonNode first = answer.path("matches").path(0);
    assertThat(first.propertyNames()).containsExactly("topic", "means", "text", "walls", "here", "show", "lift", "page", "score");
    assertThat(first.path("page").asString()).isEqualTo("runbooks/symptoms/conntrack-table-full.md");
  }

  @Test
  void nothingThatFitsIsStatusOne() {
    Ended ended = explain("", "ModuleNotFoundError: No module named 'requests'");
    assertThat(ended.status).isEqualTo(1);
    assertThat(ended.out).startsWith("nothing known fits this text\n").contains("to look on:");
    assertThat(JsonMapper.shared().readTree(explain("", "--json", "hello").out).path("found").asBoolean()).isFalse();
  }

  @Test
  void anEmptyTextIsRefused() {
    assertThatThrownBy(() -> explain("  \n", "-")).isInstanceOf(Refusal.class).hasMessageStartingWith("the text is empty; give the line");
  }
}
