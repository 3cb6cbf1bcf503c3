package echoladder.servers.floor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;

/**
 * Which loop owns which descriptor: two bytes for each, in pieces that are made when first needed and never replaced,
 * so that the accepting loop may add while the others remove. Accept, close and drain look here, and a loop that pushes; no echo does.
 */
final class DescriptorOwners {
  /** Loops that can be told apart. */
  static final int MOST_LOOPS = Short.MAX_VALUE;

  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(short[].class);
  private static final int PIECE_BITS = 16;
  private static final int PIECE = 1 << PIECE_BITS;

  // Descriptors are non-negative ints: 2^15 pieces of 2^16.
  private final AtomicReferenceArray<short[]> pieces = new AtomicReferenceArray<>(1 << (31 - PIECE_BITS));

  /** Notes an owner, 0 to {@link #MOST_LOOPS} - 1. Called by the accepting loop alone. */
  void set(int descriptor, int loop) {
    short[] piece = pieces.get(descriptor >> PIECE_BITS);
    if (piece == null) {
      piece = new short[PIECE];
      pieces.set(descriptor >> PIECE_BITS, piece);
    }
    ENTRY.setRelease(piece, descriptor & (PIECE - 1), (short) (loop + 1));
  }

  /** Forgets an owner, before the descriptor is closed and its number free for others. */
  void clear(int descriptor) {
    ENTRY.setRelease(pieces.get(descriptor >> PIECE_BITS), descriptor & (PIECE - 1), (short) 0);
  }

  /** Whether a descriptor is a loop's. */
  boolean has(int descriptor, int loop) {
    short[] piece = pieces.get(descriptor >> PIECE_BITS);
    return piece != null && (short) ENTRY.getAcquire(piece, descriptor & (PIECE - 1)) == loop + 1;
  }

  /** Calls {@code action} with each descriptor of a loop, on that loop's thread; the action may clear it. */
  void forEach(int loop, IntConsumer action) {
    for (int p = 0; p < pieces.length(); p++) {
      short[] piece = pieces.get(p);
      for (int i = 0; piece != null && i < PIECE; i++) {
        if ((short) ENTRY.getAcquire(piece, i) == loop + 1) {
          action.accept(p << PIECE_BITS | i);
        }
      }
    }
  }
}
