package echoladder.openloop.shard;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.HttpAsk;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.StagedLoad;
import echoladder.client.Target;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The client is warmed up by what it will speak: by anything else no answer would be right. */
class JitWarmUpTest {
  private static final Target NOWHERE = new Target("127.0.0.1", 9);

  private static LoadPlan.Builder plan() {
    return LoadPlan.builder(NOWHERE, 10, 100, Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @EnumSource
  void speaksThePlansProtocol(Protocol protocol) {
    assertThat(JitWarmUp.run(plan().protocol(protocol).build())).isPositive();
  }

  @Test
  void asksWhatThePlanAsksOverHttp() {
    HttpAsk ask = HttpAsk.of("PUT /order\n\n{}", NOWHERE, 201);
    assertThat(JitWarmUp.run(plan().protocol(Protocol.HTTP).http(ask).build())).isPositive();
  }

  @Test
  void asksAsUsersInStagesDo() {
    StagedLoad staged =
        new StagedLoad(
            StagedLoad.Loop.OPEN,
            List.of(new StagedLoad.Stage(5, Duration.ofSeconds(1))),
            List.of(new StagedLoad.Request("light", "/api/light", "light", Duration.ZERO)),
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            0);
    assertThat(JitWarmUp.run(LoadPlan.builder(NOWHERE, staged).build())).isPositive();
  }
}
