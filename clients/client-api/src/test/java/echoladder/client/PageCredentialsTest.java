package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageCredentialsTest {
  @Test
  void leaveTheUrlAndGoWithTheRequest() {
    URI page = PageCredentials.take(URI.create("http://me:s%40cret@take.example:9100/metrics"));
    assertThat(page).hasToString("http://take.example:9100/metrics");
    // me:s@cret
    assertThat(PageCredentials.request(page).build().headers().firstValue("authorization")).contains("Basic bWU6c0BjcmV0");
    URI beside = URI.create("http://take.example:9100/gc");
    assertThat(PageCredentials.request(beside).build().headers().firstValue("authorization")).isPresent();
  }

  @Test
  void goToNoOtherHostOrPort() {
    URI given = URI.create("http://me:secret@own.example:9100/metrics");
    assertThat(PageCredentials.take(given)).isNotEqualTo(given);
    for (String other : new String[] {"http://own.example:9101/metrics", "http://other.example:9100/metrics"}) {
      URI page = URI.create(other);
      assertThat(PageCredentials.take(page)).isSameAs(page);
      assertThat(PageCredentials.request(page).build().headers().map()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://me:secret@host:1/metrics, http://***@host:1/metrics",
    "https://me@host, https://***@host",
    "see http://a:b@c@host/x and //d:e@f, see http://***@host/x and //***@f",
    "http://host/metrics@home, http://host/metrics@home",
    "ftp:/me:secret@host, ftp:/me:secret@host",
  })
  void areHiddenInTexts(String text, String hidden) {
    assertThat(PageCredentials.hidden(text)).isEqualTo(hidden);
  }
}
