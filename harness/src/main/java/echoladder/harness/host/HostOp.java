package echoladder.harness.host;

/** A question that a control process answers. Each does what the same part of a run does on one host. */
enum HostOp {
  /** Who is there: a {@link HostHello}. */
  HELLO,
  /** What its clock shows. */
  PING,
  /** Builds where that is needed; gives hashes of what a server's command names. */
  PROGRAMS,
  /** Starts a server: a {@link ServerOrder}, answered by a {@link ServerUp}. */
  START_SERVER,
  /** Whether the server ended by itself, and how. */
  SERVER_ENDING,
  /** Stops it; what it said on stderr comes back. */
  STOP_SERVER,
  /** Whether it has let go of the connections of the rung before. */
  SERVER_EMPTY,
  /** Takes a sample: an {@link echoladder.harness.probe.ReadingRecord}. */
  READ,
  /** What the load looks at while it runs: CPU and memory of the server. */
  LOOK,
  /** Seconds of the server's compilers. */
  COMPILERS,
  /** Forces a collection of the server. */
  COLLECT,
  /** One echo by the control process itself. */
  ECHO_CHECK,
  /** Whether its idle processors are to poll from now on: the same as {@code load.idle} of a study. */
  IDLE,
  /** How quiet the host is, by a look of 2 s. */
  QUIET,
  /** Settings that must not change during a rung. */
  SETTINGS,
  /** Starts a client process. */
  START_SHARD,
  /** Hands it a line, and hands its line back. */
  ASK_SHARD,
  /** Waits for its end, or ends it. */
  END_SHARD
}
