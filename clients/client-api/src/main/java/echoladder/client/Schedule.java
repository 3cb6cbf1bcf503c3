package echoladder.client;

/** How the intended send times are spread; the total rate is the same. */
public enum Schedule {
  /** Each connection sends every {@code connections / rate} seconds, from a random phase of its own. */
  CONSTANT,
  /** Each connection sends once in every {@code connections / rate} seconds, at a time within them drawn anew each time. */
  JITTERED,
  /** One Poisson process at the total rate; the connection of each send is drawn uniformly. */
  POISSON,
  /** Every connection that sends is due in the same instant, once every {@code connections / rate} seconds. */
  BURST
}
