package echoladder.openloop;

/** The kinds of time that are recorded, each under its own tag of the interval log. */
enum Kind {
  RESPONSE("response"),
  SERVICE("service"),
  CONNECT("connect"),
  FIRST_ECHO("first-echo"),
  LATENESS("send-lateness"),
  HICCUP("hiccup"),
  WARM_UP_RESPONSE("warmup-response");

  static final int COUNT = values().length;

  final String tag;

  Kind(String tag) {
    this.tag = tag;
  }
}
