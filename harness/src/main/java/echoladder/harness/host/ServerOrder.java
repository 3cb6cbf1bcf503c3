package echoladder.harness.host;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An order to start a server: which one, and how.
 *
 * @param server name of its server.yaml
 * @param options in the study
 * @param jdk home of another JDK than that of the ladder there; null = that one
 * @param address to listen at
 * @param cpus its processors, in the kernel's form; null = wherever the kernel puts it
 * @param backlog connections that may wait for its accept()
 * @param boundNs for its ready line
 */
public record ServerOrder(
    String server, Map<String, String> options, @Nullable String jdk, String address, @Nullable String cpus, int backlog, long boundNs) {}
