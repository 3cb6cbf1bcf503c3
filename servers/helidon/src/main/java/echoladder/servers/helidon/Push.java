package echoladder.servers.helidon;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.PushMetrics;
import echoladder.servers.kit.PushTopics;
import echoladder.servers.kit.options.PushOptions;

/** What the connections of a server that pushes share. Thread-safe. */
record Push(PushOptions options, EchoContext context, PushMetrics metrics, PushTopics topics, Peers peers) {
  /** A server without a connection, whose counts are on the page of {@code context}. */
  static Push of(PushOptions options, EchoContext context) {
    PushMetrics metrics = new PushMetrics(context.registry());
    return new Push(options, context, metrics, new PushTopics(metrics), new Peers(context.metrics()));
  }
}
