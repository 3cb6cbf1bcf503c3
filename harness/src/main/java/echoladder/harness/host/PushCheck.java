package echoladder.harness.host;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.PushPaths;
import echoladder.client.Target;
import echoladder.linux.ErrorText;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One connection by the harness itself to a server that is to push, before any load: it subscribes to a topic, publishes there, and has to
 * get its own message and the number of its subscribers. A load against a server that does not push would say less clearly what is wrong.
 */
public final class PushCheck {
  /** A topic that no load uses, so that a server which forgets nobody does not spoil the load's count. */
  private static final int TOPIC = Integer.MAX_VALUE;

  private static final byte[] WORDS = "echo ladder\r\n\0\377 one, two, three".getBytes(StandardCharsets.ISO_8859_1);
  private static final int SUBSCRIBE = 1;
  private static final int PUBLISH = 3;
  private static final int MESSAGE = 4;
  private static final int SUBSCRIBED = 5;
  private static final int PUBLISHED = 7;
  private static final int KIND_AND_TOPIC = 5;
  private static final Duration BOUND = Duration.ofSeconds(10);

  private PushCheck() {}

  /** Takes one frame after the other. */
  private interface FrameSink {
    void send(byte[] frame) throws IOException;
  }

  /**
   * Throws an {@link IOException} that says what was wrong.
   *
   * @param asked where it is subscribed to and published to as text, or upgrades to WebSocket
   * @param source address to connect from; null = the kernel's choice
   */
  public static void of(Protocol protocol, HttpAsk asked, Target target, @Nullable String source) throws IOException {
    if (!asked.pushesText(protocol)) {
      frames(protocol, asked, target, source);
      return;
    }
    try {
      if (protocol == Protocol.HTTP) {
        EventStreamCheck.of(asked.pushPaths(), target, source);
      } else {
        TextSocketCheck.of(asked.pushPaths(), target, source);
      }
    } catch (HttpTimeoutException e) {
      throw failed(target, "no answer within %d s, the bound; %s".formatted(BOUND.toSeconds(), pushedBy(protocol, asked.pushPaths())), e);
    } catch (IOException e) {
      throw failed(target, ErrorText.of(e) + "; " + pushedBy(protocol, asked.pushPaths()), e);
    }
  }

  /** How it is subscribed to and published to, as a part of a sentence. */
  private static String pushedBy(Protocol protocol, PushPaths paths) {
    String publish = paths.publish().substring(paths.publishesBySocket() ? PushPaths.SOCKET.length() : 0);
    return "it is subscribed to by %s %s and published to by %s %s"
        .formatted(
            protocol == Protocol.HTTP ? "GET" : "an upgrade at", paths.subscribe(),
            paths.publishesBySocket() ? "a text message behind an upgrade at" : "POST", publish);
  }

  private static void frames(Protocol protocol, HttpAsk asked, Target target, @Nullable String source) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) BOUND.toMillis());
      if (source != null) {
        socket.bind(new InetSocketAddress(source, 0));
      }
      socket.connect(new InetSocketAddress(target.host(), target.port()), (int) BOUND.toMillis());
      if (protocol == Protocol.TCP) {
        talk(new DataInputStream(socket.getInputStream()), socket.getOutputStream()::write);
      } else {
        PushOverWebSocket upgraded = PushOverWebSocket.open(socket, target, asked.path());
        talk(new DataInputStream(upgraded.in()), upgraded::send);
      }
    } catch (SocketTimeoutException e) {
      throw failed(target, "no whole answer within %d s, the bound".formatted(BOUND.toSeconds()), e);
    } catch (EOFException e) {
      throw failed(target, "the server ended the connection", e);
    } catch (IOException e) {
      throw failed(target, String.valueOf(e.getMessage()), e);
    }
  }

  private static IOException failed(Target target, String why, IOException cause) {
    return new IOException("push check of " + target + " failed: " + why, cause);
  }

  private static void talk(DataInputStream in, FrameSink out) throws IOException {
    send(out, SUBSCRIBE, new byte[0]);
    expect(in, SUBSCRIBED, new byte[0]);
    send(out, PUBLISH, WORDS);
    // Message and answer may come in either order.
    int length = in.readInt();
    if (length == KIND_AND_TOPIC + WORDS.length) {
      expectBody(in, length, MESSAGE, WORDS);
      expect(in, PUBLISHED, new byte[] {0, 0, 0, 1});
    } else {
      expectBody(in, length, PUBLISHED, new byte[] {0, 0, 0, 1});
      expect(in, MESSAGE, WORDS);
    }
  }

  private static void send(FrameSink out, int kind, byte[] body) throws IOException {
    byte[] frame = new byte[4 + KIND_AND_TOPIC + body.length];
    ByteBuffer.wrap(frame).putInt(KIND_AND_TOPIC + body.length).put((byte) kind).putInt(TOPIC).put(body);
    out.send(frame);
  }

  private static void expect(DataInputStream in, int kind, byte[] body) throws IOException {
    expectBody(in, in.readInt(), kind, body);
  }

  private static void expectBody(DataInputStream in, int length, int kind, byte[] body) throws IOException {
    if (length != KIND_AND_TOPIC + body.length) {
      throw new IOException(
          "a frame of %,d bytes came where one of kind %d with %,d was due".formatted(length, kind, KIND_AND_TOPIC + body.length));
    }
    int of = in.readUnsignedByte();
    int topic = in.readInt();
    byte[] got = new byte[body.length];
    in.readFully(got);
    if (of != kind || topic != TOPIC || !Arrays.equals(got, body)) {
      throw new IOException("a frame of kind %d of topic %d came where kind %d of topic %d was due%s".formatted(
          of, topic, kind, TOPIC, of == kind && topic == TOPIC ? ", and its bytes are others" : ""));
    }
  }
}
