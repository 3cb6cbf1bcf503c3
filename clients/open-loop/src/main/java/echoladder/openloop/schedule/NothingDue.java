package echoladder.openloop.schedule;

/** A loop whose connections send nothing of their own. */
public final class NothingDue implements Pacer {
  @Override
  public long nextNs() {
    return Timing.UNKNOWN;
  }

  @Override
  public long dueNs() {
    return Timing.UNKNOWN;
  }

  @Override
  public int take() {
    throw new IllegalStateException("nothing is due");
  }

  @Override
  public void answered(int connection, long nowNs) {}

  @Override
  public void lost(int connection) {}

  @Override
  public long arrayBytes() {
    return 0;
  }
}
