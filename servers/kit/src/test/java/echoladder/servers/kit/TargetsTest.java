package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetsTest {
  @ParameterizedTest
  @CsvSource({
    "/echo?id=7, /echo?id=7", "http://t/echo, /echo", "HTTP://t:80/echo?id=7, /echo?id=7", "http://t/echo?a=http://u/x, /echo?a=http://u/x",
    "http://t?x, ?x", "http://t, ''", "//t/echo, //t/echo", "/http://t/echo, /http://t/echo", "httpx://t/echo, httpx://t/echo", "*, *"
  })
  void ofAWholeUrlPathAndQueryCount(String target, String originForm) {
    assertThat(Targets.originForm(target)).isEqualTo(originForm);
  }
}
