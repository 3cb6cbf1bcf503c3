package echoladder.openloop.result;

/** What came back for a message. */
public enum Answer {
  /** Every byte as it was sent. */
  RIGHT,
  /** A byte differed. */
  WRONG,
  /** The server said no, by its protocol: an HTTP status other than the right one. */
  DECLINED,
  /** The answer could not be understood; where it ends is unknown, so the connection is of no more use. */
  BROKEN,
  /** None: the server said, by its protocol, that it ends or refuses the connection. */
  ENDED
}
