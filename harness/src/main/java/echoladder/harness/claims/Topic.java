package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a claim is about: its table on each page, in this order, and the name that {@code --topic} takes. */
public enum Topic {
  MEMORY("Memory of waiting threads, and how many fit"),
  STARTING("Starting threads"),
  SWITCHING("Going from one thread to another"),
  COMPUTING("Work that never waits"),
  WAITING("Work that waits"),
  PINNING("What holds a carrier"),
  CONNECTIONS("Long connections"),
  HTTP("HTTP servers"),
  RECURSION("Threads of a recursion"),
  TOOLS("What tools show");

  private final String title;

  Topic(String title) {
    this.title = title;
  }

  /** As files and options have it. */
  @JsonValue
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As a heading. */
  public String title() {
    return title;
  }
}
