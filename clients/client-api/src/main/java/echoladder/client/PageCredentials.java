package echoladder.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The user names and passwords of metrics pages, as in {@code http://user:password@host/metrics}. They are taken out of a
 * URL where the user gives it: what records or prints the URL from there on has none to tell. Thread-safe.
 */
public final class PageCredentials {
  private static final Map<String, URI> BY_HOST = new ConcurrentHashMap<>();

  private PageCredentials() {}

  /** The URL without user name and password, which this process sends to that host and port from now on. */
  public static URI take(URI given) {
    String user = given.getUserInfo();
    if (user == null) {
      return given;
    }
    try {
      URI page =
          new URI(given.getScheme(), null, given.getHost(), given.getPort(), given.getPath(), given.getQuery(), null);
      BY_HOST.put(page.getAuthority(), given);
      return page;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(hidden(given.toString()) + " is no URL once its user name and password are left out", e);
    }
  }

  /** A text, perhaps a URL, in which three stars stand for a user name and password. */
  public static String hidden(String text) {
    return text.replaceAll("//[^/?#\\s]*@", "//***@");
  }

  /** A request to that page, with its user name and password where {@link #take} had some for it. */
  public static HttpRequest.Builder request(URI page) {
    HttpRequest.Builder request = HttpRequest.newBuilder(page);
    URI given = BY_HOST.get(page.getAuthority());
    if (given == null) {
      return request;
    }
    byte[] user = given.getUserInfo().getBytes(StandardCharsets.UTF_8);
    return request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(user));
  }

  /** The page with its user name and password, for a process of our own to be told by its stdin, and for nobody else. */
  public static URI asGiven(URI page) {
    URI given = BY_HOST.get(page.getAuthority());
    return given == null ? page : page.resolve("//" + given.getRawUserInfo() + "@" + page.getRawAuthority() + page.getRawPath());
  }
}
