package echoladder.linux.cpu;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A set of the host's processors, by their numbers. Immutable. */
public final class CpuList {
  /** One more than the highest number that a processor may have: what the kernel can be built for. */
  static final int MOST = 8192;

  private static final Pattern PART = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

  private final BitSet numbers;

  private CpuList(BitSet numbers) {
    this.numbers = numbers;
  }

  /** Those numbers; none is the empty list. */
  public static CpuList of(int... numbers) {
    BitSet set = new BitSet();
    IntStream.of(numbers).forEach(set::set);
    return new CpuList(set);
  }

  /**
   * Reads the kernel's own form, e.g. {@code 0-3,8}.
   *
   * @throws IllegalArgumentException where it is another, or names none, or one of {@value #MOST} or more
   */
  public static CpuList parse(String text) {
    BitSet set = new BitSet();
    for (String part : text.trim().split(",", -1)) {
      Matcher match = PART.matcher(part.trim());
      int from = match.matches() ? Integer.parseInt(match.group(1)) : MOST;
      int to = from < MOST && match.group(2) != null ? Integer.parseInt(match.group(2)) : from;
      if (to < from || to >= MOST) {
        throw new IllegalArgumentException(
            "'" + text + "' is no list of processors, e.g. 1 or 0-3,8; numbers go from 0 to " + (MOST - 1));
      }
      set.set(from, to + 1);
    }
    return new CpuList(set);
  }

  public boolean isEmpty() {
    return numbers.isEmpty();
  }

  public int size() {
    return numbers.cardinality();
  }

  /** In ascending order. */
  public IntStream stream() {
    return numbers.stream();
  }

  /** Whether every processor of the other is one of these. */
  public boolean containsAll(CpuList other) {
    return other.without(this).isEmpty();
  }

  public CpuList with(CpuList other) {
    return changed(other, BitSet::or);
  }

  public CpuList without(CpuList other) {
    return changed(other, BitSet::andNot);
  }

  /** Those that both have. */
  public CpuList in(CpuList other) {
    return changed(other, BitSet::and);
  }

  private CpuList changed(CpuList other, BiConsumer<BitSet, BitSet> change) {
    BitSet set = (BitSet) numbers.clone();
    change.accept(set, other.numbers);
    return new CpuList(set);
  }

  /** All of them as one. */
  public static CpuList union(List<CpuList> lists) {
    return lists.stream().reduce(CpuList.of(), CpuList::with);
  }

  /** As a mask for the kernel: bit n of byte n / 8 is processor n. */
  public byte[] mask() {
    byte[] bytes = numbers.toByteArray();
    // The kernel takes whole words.
    return Arrays.copyOf(bytes, Math.max(8, (bytes.length + 7) / 8 * 8));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CpuList list && numbers.equals(list.numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }

  /** In the kernel's own form, as {@link #parse} reads it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int from = numbers.nextSetBit(0); from >= 0; ) {
      int to = numbers.nextClearBit(from) - 1;
      text.append(text.isEmpty() ? "" : ",").append(from).append(to > from ? "-" + to : "");
      from = numbers.nextSetBit(to + 1);
    }
    return text.toString();
  }
}
