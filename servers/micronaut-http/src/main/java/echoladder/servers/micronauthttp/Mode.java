package echoladder.servers.micronauthttp;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What runs a handler. */
enum Mode {
  /** The event loop of its connection; a handler must not block. */
  EVENT_LOOP,
  /** A virtual thread for each request, on the JDK's scheduler. */
  VIRTUAL_THREADS,
  /** A bounded pool of platform threads. */
  PLATFORM_THREADS,
  /** A virtual thread for each request, carried by the event loop of its connection. */
  LOOM_CARRIER;

  /** Whether a handler may block. */
  boolean blocking() {
    return this != EVENT_LOOP;
  }

  /** As on the command line. */
  @Override
  @JsonValue
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
