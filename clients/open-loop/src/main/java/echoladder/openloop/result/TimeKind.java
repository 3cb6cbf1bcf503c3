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
  RECONNECT("reconnect", true);

  static final int COUNT = values().length;

  public final String tag;
  /** Whether it is recorded of the steady state alone. */
  final boolean ofSteady;

  TimeKind(String tag, boolean ofSteady) {
    this.tag = tag;
    this.ofSteady = ofSteady;
  }
}
