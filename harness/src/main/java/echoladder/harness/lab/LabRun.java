package echoladder.harness.lab;

import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One command in one lab: boots, runs, streams, and powers off whatever happens.
 *
 * @param notes takes lines for the user: what happens to the lab itself
 */
public record LabRun(Lab lab, LabSettings settings, Consumer<String> notes) {
  /** How long the command may take to end in order once it was asked to; a climb takes up to 90 s. */
  public static final int GRACE_SECONDS = 100;

  /** After SIGTERM, which follows the grace. */
  private static final int LAST_SECONDS = 10;

  private static final int POLL_MS = 20;
  private static final long WRITTEN_LOOK_NS = 500_000_000L;

  /**
   * Runs a command.
   *
   * @param stop whether the command shall end: by SIGINT first, so that it keeps its results
   * @return its exit status; 1 where it was asked to end and says 0; 3 where there is none
   * @throws Refusal (cannot run) where the lab does not come up or dies
   */
  public int run(
      List<String> command, Path directory, Map<String, String> environment, LabStreams streams, BooleanSupplier stop) {
    lab.check(settings).forEach(notes);
    long startNs = System.nanoTime();
    notes.accept(
        "booting a lab of %s; %s".formatted(UmlHost.mebibytes(settings.memoryBytes()), written(settings)));
    try (Lab.Guest guest = lab.boot(settings)) {
      notes.accept(sentence(guest.booted()));
      if (stop.getAsBoolean()) {
        return Refusal.CANNOT_RUN;
      }
      guest.booted().trouble().forEach(trouble -> notes.accept("in the lab: " + trouble));
      Map<String, String> inside = new HashMap<>(environment);
      inside.put(LabMark.VARIABLE, LabMark.variable(lab, settings.memoryBytes()));
      inside.put(LabHost.VARIABLE, LabHost.of(settings, guest.booted().cpu()).text());
      guest.start(command, directory, inside);
      try {
        return follow(guest, streams, stop, System.nanoTime());
      } finally {
        guest.remarks().forEach(remark -> notes.accept("in the lab: " + remark));
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("the lab failed: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.cannotRun("the lab was interrupted");
    } finally {
      notes.accept("the lab is powered off after %.1f s".formatted((System.nanoTime() - startNs) / 1e9));
    }
  }

  private int follow(Lab.Guest guest, LabStreams streams, BooleanSupplier stop, long startNs)
      throws IOException, InterruptedException {
    @Nullable String ending = null;
    long endingNs = 0;
    boolean termed = false;
    long lookedNs = startNs;
    while (true) {
      boolean alive = guest.alive(POLL_MS);
      OptionalInt status = guest.status();
      guest.pump(streams);
      if (status.isPresent()) {
        // What it wrote before it ended was there before its status was.
        guest.pump(streams);
        return ended(status.getAsInt(), ending);
      }
      if (!alive) {
        throw Refusal.cannotRun("the lab's kernel died before the command had ended" + guest.lastWords());
      }
      long now = System.nanoTime();
      if (now - lookedNs > WRITTEN_LOOK_NS) {
        lookedNs = now;
        refuseMuchWritten(guest);
      }
      if (ending == null) {
        ending = reason(stop, streams, now - startNs);
        if (ending != null) {
          notes.accept("%s: the command gets SIGINT and %d s to end".formatted(ending, GRACE_SECONDS));
          guest.signal("INT");
          endingNs = now;
        }
      } else if (!termed && now - endingNs > GRACE_SECONDS * 1_000_000_000L) {
        notes.accept("the command still runs: it gets SIGTERM and %d s".formatted(LAST_SECONDS));
        guest.signal("TERM");
        termed = true;
      } else if (now - endingNs > (GRACE_SECONDS + LAST_SECONDS) * 1_000_000_000L) {
        notes.accept("the command still runs: the lab is switched off under it");
        return Refusal.CANNOT_RUN;
      }
    }
  }

  /** At once, as a command that has gone wild would fill the disk while it is asked to end. */
  private void refuseMuchWritten(Lab.Guest guest) {
    if (guest.writtenBytes() > settings.mostWrittenBytes()) {
      throw Refusal.cannotRun(
          ("the lab has written more than %s to files of this host, the bound, and is switched off; what it wrote is there. Give it more"
              + " with --write-most SIZE, or have the command write elsewhere, e.g. to /tmp, which goes with the lab")
              .formatted(UmlHost.mebibytes(settings.mostWrittenBytes())));
    }
  }

  private @Nullable String reason(BooleanSupplier stop, LabStreams streams, long ranNs) {
    if (stop.getAsBoolean()) {
      return "stopping";
    }
    if (ranNs > settings.timeout().toNanos()) {
      return "the timeout of " + settings.timeout().toSeconds() + " s is over";
    }
    return streams.broken() ? "nobody reads stdout any more" : null;
  }

  private int ended(int status, @Nullable String ending) {
    notes.accept("the command ended with exit status " + status);
    // It did not do all that it was asked, whatever it says itself.
    return ending != null && status == 0 ? 1 : status;
  }

  private static String written(LabSettings settings) {
    return settings.scratch()
        ? "what is written below %s is kept, all else goes with the lab (--write DIR keeps more)"
            .formatted(settings.writable().stream().map(Path::toString).collect(Collectors.joining(", ")))
        : "it may write whatever this user may";
  }

  private static String sentence(Lab.Booted booted) {
    return "up in %.1f s (%s): kernel %s with %s, all of it on processor %d, %,d descriptors per process; %d of %d settings made"
        .formatted(
            booted.seconds(),
            booted.parts().entrySet().stream()
                .map(part -> "%s %.2f".formatted(part.getKey(), part.getValue()))
                .collect(Collectors.joining(", ")),
            booted.kernel(),
            UmlHost.mebibytes(booted.memoryBytes()),
            booted.cpu(),
            booted.descriptors(),
            booted.settingsMade(),
            booted.settings());
  }
}
