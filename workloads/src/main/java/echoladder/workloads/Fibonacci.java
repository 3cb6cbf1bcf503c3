package echoladder.workloads;

/** Work that keeps a processor busy and touches no memory to speak of: the naive recursion. */
final class Fibonacci {
  private Fibonacci() {}

  /** The n-th number, of 0, 1, 1, 2, 3, 5; by about 1.6^n calls. */
  static long of(int n) {
    return n < 2 ? n : of(n - 1) + of(n - 2);
  }

  /** The n-th number by addition, to check others against. */
  static long known(int n) {
    long a = 0;
    long b = 1;
    for (int i = 0; i < n; i++) {
      long next = a + b;
      a = b;
      b = next;
    }
    return a;
  }
}
