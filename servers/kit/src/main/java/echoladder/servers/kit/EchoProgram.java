package echoladder.servers.kit;

import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;

/** A server's main: a picocli command that starts it. Its name is the folder's. */
public interface EchoProgram {
  /**
   * Opens the server.
   *
   * @throws IOException where the address cannot be listened on
   * @throws BadOption where an option of its own is out of range: message and exit status 2
   * @throws CannotRun where this host lacks what it needs: message and exit status 3
   */
  EchoServer start(ServerOptions options, EchoContext context) throws IOException;
}
