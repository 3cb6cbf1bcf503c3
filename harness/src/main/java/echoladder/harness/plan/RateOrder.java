package echoladder.harness.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The order in which a stand has its rates. It is drawn from the seed and the repeat alone, so that all servers have one order
 * and each repeat has another: what a server keeps of an earlier rate then falls on other rates in other repeats. Pure.
 */
final class RateOrder {
  private static final long SEED_STRIDE = 1_000_033;

  private RateOrder() {}

  /**
   * The rates of one stand, without the check at its end.
   *
   * @param rates ascending
   * @param repeat from 1
   */
  static List<Double> of(List<Double> rates, long seed, int repeat) {
    List<Double> order = new ArrayList<>(rates);
    Collections.shuffle(order, new SplittableRandom(seed * SEED_STRIDE + repeat));
    return order;
  }
}
