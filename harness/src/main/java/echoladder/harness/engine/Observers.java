package echoladder.harness.engine;

import echoladder.client.Phase;
import echoladder.harness.run.RungServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that watches or disturbs one rung besides its traffic. To add something, write a {@link RungObserver} and give it a row in
 * {@link #ASKED}.
 */
final class Observers implements AutoCloseable {
  /** What a study can ask for; each looks for itself whether this one does. */
  private static final List<RungObserver.Factory> ASKED = List.of(ServerRestart::asked, AcceptStall::asked, LinkCut::asked);

  static final Observers NONE = new Observers();

  private final List<RungObserver> all = new ArrayList<>();

  /**
   * Makes those of one rung.
   *
   * @param own of this rung and no other
   * @throws IOException where one of them cannot be made; nothing is left of the others
   */
  static Observers of(RungObserver.Subject subject, List<RungObserver.Factory> own) throws IOException {
    List<Maker> makers = new ArrayList<>();
    Stream.concat(ASKED.stream(), own.stream()).forEach(factory -> makers.add(() -> factory.of(subject)));
    return made(makers);
  }

  /** Makes one; null where it is not asked for. */
  @FunctionalInterface
  interface Maker {
    @Nullable RungObserver make() throws IOException;
  }

  static Observers made(List<Maker> makers) throws IOException {
    Observers made = new Observers();
    try {
      for (Maker maker : makers) {
        RungObserver one = maker.make();
        if (one != null) {
          made.all.add(one);
        }
      }
      return made;
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** Tells all, see {@link RungObserver#leaving}. */
  void leaving(Phase next) {
    all.forEach(one -> one.leaving(next));
  }

  /** Tells all, see {@link RungObserver#entered}. */
  void entered(Phase now, long monotonicNs) {
    all.forEach(one -> one.entered(now, monotonicNs));
  }

  /** Whether one of them ended the server. Any thread. */
  boolean endedServer() {
    return all.stream().anyMatch(RungObserver::endedServer);
  }

  /** How the server ended by itself, or the one in its place; null where it did not. The parameter is that of {@link RungServer#ending}. */
  @Nullable String ending(RungServer server, boolean doubted) {
    for (RungObserver one : all) {
      if (one.endedServer()) {
        return one.ending(doubted);
      }
    }
    return server.ending(doubted);
  }

  /** Ends all of them, the last first. */
  @Override
  public void close() {
    all.reversed().forEach(RungObserver::close);
  }
}
