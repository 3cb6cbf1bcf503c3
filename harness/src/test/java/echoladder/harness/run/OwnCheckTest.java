package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.harness.server.OwnServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that answer something else than they are asked for: what is said of each, and what to do. */
class OwnCheckTest {
  /** What a server says to the first bytes that it gets, before it closes. */
  private static void against(Protocol protocol, String answer, String... words) throws Exception {
    try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread server = Thread.ofVirtual().start(() -> answer(port, answer.getBytes(StandardCharsets.ISO_8859_1)));
      // It ran already, as this process: nothing is started or ended here.
      OwnServer own = new OwnServer("own", null, ProcessHandle.current().pid(), port.getLocalPort(), protocol, HttpAsk.ECHO);
      CustomServer running = new CustomServer(own, null, ProcessHandle.current().pid(), null, 1);
      assertThatThrownBy(() -> running.echo(null))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("echo check of 127.0.0.1:" + port.getLocalPort() + " failed: ")
          .hasMessageEndingWith("; see runbooks/procedures/your-own-server.md")
          .extracting(Throwable::getMessage)
          .asString()
          .contains(words);
      server.join();
    }
  }

  private static void answer(ServerSocket port, byte[] answer) {
    try (Socket client = port.accept()) {
      if (client.getInputStream().read(new byte[1 << 16]) > 0) {
        client.getOutputStream().write(answer);
      }
    } catch (IOException e) {
      // The other end was content earlier.
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "TCP|HTTP/1.1 400 Bad Request, connection: close|it answers another protocol, HTTP: 31 bytes were sent and other ones came back|climbed with --protocol http",
        "TCP|220 welcome to a line protocol, please|it answers another protocol: 31 bytes were sent and other ones came back|every byte has to come back at once",
        "TCP|echo|it closed the connection after 4 of 31 bytes: 'echo'|every byte has to come back at once",
        "HTTP|SSH-2.0-server_1|it answers another protocol than HTTP/1.1: its answer begins with 'SSH-2.0-serv|the message is posted to --path",
        "HTTP|HTTP/1.1 200 OK, and then the end|it closed the connection after 33 bytes of an HTTP answer whose head has no end|the message is posted to",
        "HTTP|HTTP/1.1 404 Not Found|its answer begins with 'HTTP/1.1 404|asked with --expect-status or --request",
        "WEBSOCKET|SSH-2.0-server_1|it answers another protocol than HTTP/1.1: its answer to the upgrade begins with |the upgrade is asked for at --path",
      })
  void whatItAnsweredIsSaidAndWhatToDo(Protocol protocol, String answer, String seen, String advice) throws Exception {
    against(protocol, answer, seen, advice);
  }

  @Test
  void tlsIsToldByItsAlert() throws Exception {
    against(Protocol.TCP, "\25\3\3\0\2\2\12", "it closed the connection after 7 of 31 bytes, TLS, which is not spoken to a server of your own");
    against(Protocol.HTTP, "\25\3\3\0\2\2\12", "it closed the connection after 7 of 12 bytes, TLS, which is not spoken to a server of your own");
  }

  /** What it has to do with an answer that stays open, or none; {@code answer} empty = it says nothing. */
  private static void whileItStaysOpen(Protocol protocol, String answer, String words) throws Exception {
    try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread server =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Socket client = port.accept()) {
                      client.getInputStream().read(new byte[1 << 16]);
                      client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                      client.getInputStream().readAllBytes();
                    } catch (IOException e) {
                      // The other end was content earlier.
                    }
                  });
      OwnServer own = new OwnServer("own", null, 1L, port.getLocalPort(), protocol, HttpAsk.ECHO);
      OwnCheck check = new OwnCheck(own, null, Duration.ofSeconds(1));
      assertThatThrownBy(
              () -> {
                switch (protocol) {
                  case TCP -> check.tcp();
                  case HTTP -> check.http();
                  case WEBSOCKET -> check.webSocket();
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining(words);
      server.join();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TCP||it took the connection and 31 bytes, and nothing came back within 1 s, the bound",
        "TCP|echo|31 bytes were sent, and what came back had no end within 1 s, the bound: it stands after 4 of 31 bytes: 'echo'",
        "HTTP||bytes, and nothing came back within 1 s, the bound",
        "HTTP|HTTP|it stands after 4 of 12 bytes: 'HTTP'",
        "HTTP|HTTP/1.1 200 OK\\r\\n\\r\\nok|it stands after 21 bytes of an HTTP answer without a length, on a connection that stays open: 'HTTP/1.1 200 OK??",
        "HTTP|HTTP/1.1 200 OK\\nContent-Length: 2\\n\\nok|an HTTP answer whose lines end in LF without CR",
        "HTTP|HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nok|an HTTP answer shorter than its content-length",
        "HTTP|HTTP/1.1 200 OK\\r\\nContent-Length: 4 0\\r\\n\\r\\nok|where its answer ends: HTTP answer without a usable content-length; it begins with 'HTTP/1.1 200 OK'",
        "WEBSOCKET||it took the connection and the upgrade that was asked for, and nothing came back within 1.0 s, the bound",
        "WEBSOCKET|HTTP/1.1 101 Yes\\nUpgrade: websocket\\n\\n|its answer to the upgrade, which begins with 'HTTP/1.1 101 Yes', has no end, as its lines end in LF without CR,",
      })
  void whatIsMissingWithinTheBoundIsSaid(Protocol protocol, String answer, String words) throws Exception {
    whileItStaysOpen(protocol, answer == null ? "" : answer.translateEscapes(), words);
  }

  /** It read the head alone of a large request, so that the kernel resets the connection behind its answer. */
  @Test
  void whatItSaidBeforeItReadAllIsHeard() throws Exception {
    try (ServerSocket port = new ServerSocket()) {
      port.setReceiveBufferSize(4096);
      port.bind(new InetSocketAddress("127.0.0.1", 0), 5);
      Thread server =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Socket client = port.accept()) {
                      client.getInputStream().read(new byte[100]);
                      client.getOutputStream().write("HTTP/1.1 413 Too Large\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                      // The other end was content earlier.
                    }
                  });
      HttpAsk ask = new HttpAsk("/", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65000\r\n\r\n" + "x".repeat(65_000), 200);
      OwnServer own = new OwnServer("own", null, 1L, port.getLocalPort(), Protocol.HTTP, ask);
      assertThatThrownBy(() -> new OwnCheck(own, null).http())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("its answer begins with 'HTTP/1.1 413 Too Large'; 'HTTP/1.1 200' is the right one");
      server.join();
    }
  }

  /** Every way to end an answer is enough, also by the end of the connection. */
  @ParameterizedTest
  @CsvSource({
    "'Content-Length: 2\\r\\n\\r\\nok'", "'Transfer-Encoding:\\tChunked \\r\\n\\r\\n2\\r\\nok\\r\\n0\\r\\n\\r\\n'", "'Connection: close\\r\\n\\r\\nok'"
  })
  void anAnswerWithItsEndIsRight(String rest) throws Exception {
    try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      String answer = "HTTP/1.1 200 OK\r\n" + rest.translateEscapes();
      Thread server = Thread.ofVirtual().start(() -> answer(port, answer.getBytes(StandardCharsets.ISO_8859_1)));
      new OwnCheck(new OwnServer("own", null, 1L, port.getLocalPort(), Protocol.HTTP, HttpAsk.ECHO), null).http();
      server.join();
      assertThat(server.isAlive()).isFalse();
    }
  }

  @Test
  void anEchoIsRight() throws Exception {
    try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread server =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Socket client = port.accept()) {
                      client.getInputStream().transferTo(client.getOutputStream());
                    } catch (IOException e) {
                      // The other end was content earlier.
                    }
                  });
      new OwnCheck(new OwnServer("own", null, 1L, port.getLocalPort(), Protocol.TCP, HttpAsk.ECHO), null).tcp();
      server.join();
      assertThat(server.isAlive()).isFalse();
    }
  }
}
