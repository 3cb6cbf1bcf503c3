package echoladder.harness.claims;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a claim is about: its table on each page, in this order, and the name that {@code --topic} takes. */
public enum Topic {
  @JsonProperty("memory")
  MEMORY("memory", "Memory of waiting threads, and how many fit"),
  @JsonProperty("starting")
  STARTING("starting", "Starting threads"),
  @JsonProperty("switching")
  SWITCHING("switching", "Going from one thread to another"),
  @JsonProperty("computing")
  COMPUTING("computing", "Work that never waits"),
  @JsonProperty("waiting")
  WAITING("waiting", "Work that waits"),
  @JsonProperty("pinning")
  PINNING("pinning", "What holds a carrier"),
  @JsonProperty("connections")
  CONNECTIONS("connections", "Long connections"),
  @JsonProperty("http")
  HTTP("http", "HTTP servers"),
  @JsonProperty("recursion")
  RECURSION("recursion", "Threads of a recursion"),
  @JsonProperty("tools")
  TOOLS("tools", "What tools show");

  private final String id;
  private final String title;

  Topic(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** As files and options have it. */
  public String id() {
    return id;
  }

  /** As a heading. */
  public String title() {
    return title;
  }
}
