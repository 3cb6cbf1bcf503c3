package echoladder.harness.probe;

import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whom the probes look at.
 *
 * @param serverPid process of the server; null = not ours to see, so that its CPU and RSS come from its page
 * @param metrics its Prometheus page; null = there is no server to look at
 * @param clientPids the client processes that run now
 */
public record Subject(@Nullable Long serverPid, @Nullable URI metrics, Supplier<List<Long>> clientPids) {}
