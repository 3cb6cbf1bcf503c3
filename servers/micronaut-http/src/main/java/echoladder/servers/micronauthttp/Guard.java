package echoladder.servers.micronauthttp;

import io.netty.channel.ChannelPipeline;
import java.time.Duration;

/** What the contract asks of a connection beyond what Micronaut does with it, and of all connections at the end. */
interface Guard {
  /** Adds its handlers to the pipeline of a new connection, around the HTTP codec. */
  void add(ChannelPipeline pipeline);

  /** The server was told to stop. */
  void sayGoodbye();

  /** Requests or messages that have begun and are not answered. */
  long inFlight();

  /** For how long of the drain what still comes may put off the end; those who wait for what is queued need the rest. */
  default Duration quietMost(Duration limit) {
    return limit;
  }

  /** Nothing is in flight any more: ends the connections that have to hear of it. Does not wait. */
  void dismiss();

  /** Who is yet to be waited for after that. */
  long left();
}
