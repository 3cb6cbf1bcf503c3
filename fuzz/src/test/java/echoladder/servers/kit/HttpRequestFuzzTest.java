package echoladder.servers.kit;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests to a server's page of metrics, on one connection. */
class HttpRequestFuzzTest {
  static Stream<Arguments> seeds() {
    return Inputs.texts(
        "GET /metrics?name%5B%5D=a&name[]=b HTTP/1.1\r\nHost: h:1\r\n\r\nPOST /gc HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcGET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nOrigin: x\r\nConnection: close\r\n\r\n");
  }

  @MethodSource("seeds")
  @FuzzTest
  void aRequestIsReadOrRefused(byte[] input) {
    ByteArrayInputStream in = new ByteArrayInputStream(input);
    try {
      HttpRequest request = HttpRequest.read(in);
      while (request != null && request.keepAlive()) {
        Ends.whole(request);
        request = HttpRequest.read(in);
      }
    } catch (IOException e) {
      // One of a stream that ends within a body says nothing, and nobody is told.
      if (e.getMessage() != null) {
        Ends.said(e);
      }
    }
  }
}
