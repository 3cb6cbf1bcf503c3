package echoladder.harness.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What of a connection is on this host. */
public enum Role {
  /** The server's end. */
  @JsonProperty("server")
  SERVER("the server's ends on this host", 1, true, false),
  /** The client's end. */
  @JsonProperty("client")
  CLIENT("the clients' ends on this host", 1, false, true),
  /** Both, over loopback. */
  @JsonProperty("both")
  BOTH("both ends on this host", 2, true, true);

  /** For sentences. */
  final String words;

  /** Ends of each connection on this host. */
  final int ends;

  final boolean server;
  final boolean client;

  Role(String words, int ends, boolean server, boolean client) {
    this.words = words;
    this.ends = ends;
    this.server = server;
    this.client = client;
  }
}
