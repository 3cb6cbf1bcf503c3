package echoladder.openloop.codec;

import echoladder.openloop.result.MessageTimes;

/** A message that was published, as it is sent and as a subscriber gets it. One instance serves all of a codec in turn. */
public final class Delivery {
  public int topic;
  /** Its number among all that the load publishes, from 0. */
  public long sequence;
  /** When it was intended to be published, ns on the monotonic clock. */
  public long intendedNs;
  /** From when on it could go, or {@link MessageTimes#FREE}: see there. */
  public long freedNs;
  /** The first attempt to send it. */
  public long sentNs;
  /** Whether every byte is as it was published. */
  public boolean right;
}
