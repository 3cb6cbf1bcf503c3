package echoladder.openloop.result;

/** The kinds of time that are recorded, each under its own tag of the interval log. */
public enum TimeKind {
  RESPONSE("response", true),
  SERVICE("service", true),
  CONNECT("connect", false),
  FIRST_ECHO("first-echo", false),
  LATENESS("send-lateness", true),
  SERVER("server-time", true),
  RECEIVE_DELAY("receive-delay", true),
  HICCUP("hiccup", true),
  WARM_UP_RESPONSE("warmup-response", false),
  BURST_SEND("burst-send", true),
  BURST_ANSWER("burst-answer", true),
  BURST_BACKLOG("burst-backlog", true),
  /** To the first echo of a connection opened anew: by churn in the steady state, or by a storm after it. */
  RECONNECT("reconnect", true),
  /** To the arrival of a message that was published at one of its subscribers. */
  DELIVERY("delivery", true),
  /** To the first of its subscribers; known at the end. */
  FIRST_DELIVERY("first-delivery", false),
  LAST_DELIVERY("last-delivery", false),
  /** From the beginning of the steady state to the end of a connection that does not read. */
  SLOW_READER_ENDED("slow-reader-ended", true);

  static final int COUNT = values().length;

  public final String tag;
  /** Whether it is recorded of the steady state alone. */
  final boolean ofSteady;

  TimeKind(String tag, boolean ofSteady) {
    this.tag = tag;
    this.ofSteady = ofSteady;
  }
}
