package echoladder.harness.probe;

import java.net.URI;
import java.util.List;
import java.util.function.Supplier;

/**
 * Whom the probes look at.
 *
 * @param serverPid process of the server on this host
 * @param metrics its Prometheus page
 * @param clientPids the client processes that run now
 */
public record Subject(long serverPid, URI metrics, Supplier<List<Long>> clientPids) {}
