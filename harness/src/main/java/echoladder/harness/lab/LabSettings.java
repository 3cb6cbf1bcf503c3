package echoladder.harness.lab;

import echoladder.harness.tune.Profile;
import java.time.Duration;

/**
 * What a lab is asked to be.
 *
 * @param memoryBytes of the guest, for everything in it together
 * @param timeout from the start of the command, which is asked to end then
 * @param profile kernel settings that are made inside before the command starts
 */
public record LabSettings(long memoryBytes, Duration timeout, Profile profile) {}
