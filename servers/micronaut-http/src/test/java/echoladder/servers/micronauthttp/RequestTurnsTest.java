package echoladder.servers.micronauthttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTurnsTest {
  private final List<Integer> dropped = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel(new RequestTurns(dropped::add));
  private final List<ByteBuf> bodies = new ArrayList<>();

  private void ask(String target) {
    ByteBuf body = Unpooled.buffer().writeByte(1);
    bodies.add(body);
    channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, target), new DefaultLastHttpContent(body));
  }

  private void answer(HttpResponseStatus status) {
    channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER));
    channel.runPendingTasks();
  }

  private String handedOn() {
    StringBuilder handed = new StringBuilder();
    for (Object next; (next = channel.readInbound()) != null; ) {
      handed.append(next instanceof HttpRequest request ? request.uri() : ".");
    }
    return handed.toString();
  }

  @Test
  void eachRequestWaitsForTheAnswerToTheOneBefore() {
    ask("/a");
    ask("/b");
    ask("/c");
    assertThat(handedOn()).isEqualTo("/a.");
    answer(HttpResponseStatus.CONTINUE);
    assertThat(handedOn()).as("behind an answer that is none").isEmpty();
    answer(HttpResponseStatus.OK);
    assertThat(handedOn()).isEqualTo("/b.");
    answer(HttpResponseStatus.OK);
    assertThat(handedOn()).isEqualTo("/c.");
    answer(HttpResponseStatus.OK);
    ask("/d");
    assertThat(handedOn()).isEqualTo("/d.");
  }

  @Test
  void whatStandsBehindAStreamIsDropped() {
    ask("/stream");
    ask("/behind");
    channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    channel.runPendingTasks();
    assertThat(handedOn()).isEqualTo("/stream.");
    assertThat(bodies.getLast().refCnt()).as("references to what is dropped").isZero();
    assertThat(dropped).as("requests that are not answered").containsExactly(1);
  }
}
