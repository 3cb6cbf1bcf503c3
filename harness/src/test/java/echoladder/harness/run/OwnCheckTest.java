package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.harness.server.OwnServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
      OwnRunning running = new OwnRunning(own, null, ProcessHandle.current().pid(), null, 1);
      assertThatThrownBy(() -> running.check(null))
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
        "HTTP|HTTP/1.1 404 Not Found|its answer begins with 'HTTP/1.1 404|asked with --expect-status or --request",
        "WEBSOCKET|SSH-2.0-server_1|it answers another protocol than HTTP/1.1: its answer to the upgrade begins with |the upgrade is asked for at --path",
      })
  void whatItAnsweredIsSaidAndWhatToDo(Protocol protocol, String answer, String seen, String advice) throws Exception {
    against(protocol, answer, seen, advice);
  }

  @Test
  void tlsIsToldByItsAlert() throws Exception {
    against(Protocol.TCP, "\25\3\3\0\2\2\12", "it closed the connection after 7 of 31 bytes, TLS, which the client does not speak");
    against(Protocol.HTTP, "\25\3\3\0\2\2\12", "it closed the connection after 7 of 12 bytes, TLS, which the client does not speak");
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
