package echoladder.openloop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Tls;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.linux.process.ProcessMemory;
import echoladder.openloop.ClientProcess;
import echoladder.openloop.testserver.TlsServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** Memory of sessions that do nothing, in a process whose heap has its full size from the beginning. */
class IdleSessionsTest {
  private static final int SESSIONS = 1_000;
  private static final int WARM_UP = 300;
  // An idle session of OpenSSL is 25,000 at least.
  private static final long MOST_BYTES = 8_000;

  /** Prints by how many bytes of RSS each session grew the process, and each of as many that came in the place of the first. */
  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[0]);
    ThrowawayCertificate certificate = ThrowawayCertificate.make();
    SSLContext context = TlsServer.context(certificate);
    Tls tls = new Tls(Tls.LATEST, ThrowawayCertificate.NAME, certificate.authority());
    try (TlsSessions warmUp = new TlsSessions(tls, WARM_UP)) {
      shake(context, warmUp, WARM_UP);
    }
    long before = rss();
    try (TlsSessions sessions = new TlsSessions(tls, count)) {
      shake(context, sessions, count);
      long held = rss();
      for (int c = 0; c < count; c++) {
        sessions.forget(c);
      }
      shake(context, sessions, count);
      System.out.println((held - before) / count);
      System.out.println((rss() - held) / count);
    }
  }

  private static void shake(SSLContext context, TlsSessions sessions, int count) throws SSLException {
    for (int c = 0; c < count; c++) {
      EnginePeer.shaken(context, sessions, c);
    }
  }

  private static long rss() {
    return Objects.requireNonNull(ProcessMemory.rssBytes(ProcessHandle.current().pid()));
  }

  @Test
  void anIdleSessionKeepsItsKeysAloneAndAForgottenOneNothing() throws Exception {
    List<String> command = new ArrayList<>(ClientProcess.javaCommand());
    command.addAll(1, List.of("-Xmx64m", "-XX:+AlwaysPreTouch"));
    command.addAll(List.of(IdleSessionsTest.class.getName(), String.valueOf(SESSIONS)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(process.waitFor()).as(said).isZero();
    // A JVM may say something of its own.
    List<Long> bytes = said.lines().filter(line -> line.matches("-?\\d+")).map(Long::parseLong).toList();
    assertThat(bytes).hasSize(2);
    assertThat(bytes.getFirst()).as("bytes of RSS per idle session").isLessThan(MOST_BYTES);
    assertThat(bytes.getLast()).as("more bytes per session that took a forgotten one's place").isLessThan(MOST_BYTES);
  }
}
