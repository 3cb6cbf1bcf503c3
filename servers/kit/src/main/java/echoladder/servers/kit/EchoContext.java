package echoladder.servers.kit;

import io.prometheus.metrics.model.registry.PrometheusRegistry;

/**
 * What the frame hands to a server.
 *
 * @param metrics to count in
 * @param acceptErrors to report failed accepts to
 * @param log for messages
 * @param registry what the metrics page shows; a server may add figures of its own, e.g. its framework's
 */
public record EchoContext(
    EchoMetrics metrics, AcceptErrors acceptErrors, ServerLog log, PrometheusRegistry registry) {}
