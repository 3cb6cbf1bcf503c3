package echoladder.harness.judgement;

import echoladder.client.PhaseBoundary;
import echoladder.client.Reason;
import echoladder.harness.study.Network;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Observations of the harness about a rung, besides figures.
 *
 * @param stopRequested whether the user stopped the run
 * @param serverEnding how the server process ended before it was stopped, null where it did not
 * @param metricsFailure why its metrics page or forced collection could not be had, empty where it could
 * @param changedSettings settings that differ from the beginning of the rung, each as {@code name: before -> after}
 * @param mismatches what tells against an attached server's page being of the server that was loaded
 * @param borders of the steady state, as the harness read them
 * @param serverElsewhere whether the server runs on another host than the client
 * @param clientsAfar whether host figures are those of the server's host, whose kernel has no client
 * @param ofClientHosts what speaks against the rung by the look at each client host; null = there are none
 * @param network that the study asks for between client and server; null = they talk over what is there
 */
public record Observed(
    boolean stopRequested, @Nullable String serverEnding, String metricsFailure, List<String> changedSettings,
    List<String> mismatches, List<PhaseBoundary> borders, boolean serverElsewhere, boolean clientsAfar,
    @Nullable List<Reason> ofClientHosts, @Nullable Network network) {
  public Observed {
    changedSettings = List.copyOf(changedSettings);
    mismatches = List.copyOf(mismatches);
    borders = List.copyOf(borders);
    ofClientHosts = ofClientHosts == null ? null : List.copyOf(ofClientHosts);
  }
}
