package echoladder.harness.host;

import echoladder.harness.server.ReadyLine;
import java.util.List;

/**
 * A server that got ready.
 *
 * @param ready what it said
 * @param command its argv, without machine-specific parts
 * @param readySeconds from its start on
 */
public record ServerUp(ReadyLine ready, List<String> command, double readySeconds) {}
