package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedStopTest {
  /** A client as each of them is: a stop that comes while no load runs changes nothing. */
  private static final class Forgetful implements LoadClient {
    private final List<Phase> gone = new ArrayList<>();
    private boolean running;
    private boolean ended;

    @Override
    public String name() {
      return "forgetful";
    }

    @Override
    @SuppressWarnings("NullAway") // Nobody looks at the result.
    public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
      running = true;
      for (Phase phase : List.of(Phase.RAMP, Phase.WARM_UP, Phase.STEADY)) {
        if (!ended) {
          gone.add(phase);
          listener.phase(phase, 0);
        }
      }
      running = false;
      return null;
    }

    @Override
    public void stop() {
      ended |= running;
    }
  }

  @Test
  @SuppressWarnings("NullAway") // The client reads no plan.
  void aStopBeforeTheLoadEndsItAsItBegins() throws IOException {
    Forgetful client = new Forgetful();
    LoadClient remembering = new RememberedStop(client);
    remembering.stop();
    List<Phase> heard = new ArrayList<>();
    LoadListener listener =
        new LoadListener() {
          @Override
          public void phase(Phase phase, long monotonicNs) {
            heard.add(phase);
          }

          @Override
          public void progress(Progress progress) {}
        };
    var _ = remembering.run(null, Path.of("none.hlog"), listener);
    assertThat(client.gone).containsExactly(Phase.RAMP);
    assertThat(heard).containsExactly(Phase.RAMP);
  }
}
