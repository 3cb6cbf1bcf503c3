package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * An event of a {@code text/event-stream} of which a part has come (WHATWG HTML, "Server-sent events"): lines of a field and its value,
 * up to an empty line. The values of {@code data} are the message, joined by line feeds; comments and other fields are passed over, and
 * so are events of a type other than {@code message}, which no page gets that listens for messages. Belongs to one event loop.
 */
final class EventInPieces {
  // Where in a line the next byte is.
  private static final byte NAME = 0;
  private static final byte VALUE_BEGIN = 1;
  private static final byte DATA = 2;
  private static final byte TYPE = 3;
  private static final byte SKIPPED = 4;

  private static final String DATA_FIELD = "data";
  private static final String TYPE_FIELD = "event";
  private static final String MESSAGE = "message";

  /** The message, as far as it has come. */
  final BodyInPieces body;

  private byte place = NAME;
  /** Bytes of the line's name so far; of a type, those that are as in {@link #MESSAGE}, -1 = it is another. */
  private int matched;
  /** Which field the name of the line may still be; the one that it is, behind its colon. */
  private boolean mayBeData = true;
  private boolean mayBeType = true;
  private boolean nameBegun;
  private boolean behindReturn;
  private boolean dataBegun;
  private boolean ofOtherType;
  private boolean over;

  EventInPieces(BodyInPieces body) {
    this.body = body;
  }

  /** Takes bytes up to the end of a message, or all; the position behind them. */
  int take(MemorySegment in, int from, int to) {
    int at = from;
    while (at < to && !over) {
      if (place == DATA) {
        at = takeData(in, at, to);
      } else {
        take(in.get(JAVA_BYTE, at++));
      }
    }
    // The second half of a line end goes with the message: bytes behind that are those of another.
    return over && behindReturn && at < to && in.get(JAVA_BYTE, at) == '\n' ? at + 1 : at;
  }

  /** Whether a message is whole, which {@link #body} then has. */
  boolean over() {
    return over;
  }

  /** Forgets all but the message, and is the next event. */
  void restart() {
    lineBegins();
    behindReturn = false;
    eventBegins();
    over = false;
  }

  private void eventBegins() {
    dataBegun = false;
    ofOtherType = false;
  }

  private void lineBegins() {
    place = NAME;
    matched = 0;
    mayBeData = true;
    mayBeType = true;
    nameBegun = false;
  }

  private void take(byte b) {
    boolean secondOfTwo = behindReturn && b == '\n';
    behindReturn = b == '\r';
    if (secondOfTwo) {
      return;
    }
    if (b == '\n' || b == '\r') {
      lineEnded();
      return;
    }
    switch (place) {
      case NAME -> takeName(b);
      case VALUE_BEGIN -> {
        place = mayBeData ? DATA : TYPE;
        if (b != ' ') {
          takeValue(b);
        }
      }
      case TYPE -> takeValue(b);
      default -> {}
    }
  }

  private void takeName(byte b) {
    if (b == ':') {
      // Without a name it is a comment.
      mayBeData &= matched == DATA_FIELD.length();
      mayBeType &= matched == TYPE_FIELD.length();
      matched = 0;
      place = mayBeData || mayBeType ? VALUE_BEGIN : SKIPPED;
      if (mayBeData) {
        dataLineBegins();
      }
      return;
    }
    nameBegun = true;
    mayBeData &= matched < DATA_FIELD.length() && b == DATA_FIELD.charAt(matched);
    mayBeType &= matched < TYPE_FIELD.length() && b == TYPE_FIELD.charAt(matched);
    matched++;
    place = mayBeData || mayBeType ? NAME : SKIPPED;
  }

  private void takeValue(byte b) {
    if (place == DATA) {
      body.take(b);
    } else {
      matched = matched >= 0 && matched < MESSAGE.length() && b == MESSAGE.charAt(matched) ? matched + 1 : -1;
    }
  }

  private void dataLineBegins() {
    if (dataBegun) {
      body.take((byte) '\n');
    } else {
      dataBegun = true;
      body.begins();
    }
  }

  private void lineEnded() {
    switch (place) {
      case NAME -> {
        if (!nameBegun) {
          eventEnded();
        } else if (mayBeData && matched == DATA_FIELD.length()) {
          dataLineBegins();
        }
      }
      case VALUE_BEGIN -> ofOtherType &= !mayBeType;
      // An empty type is that of messages.
      case TYPE -> ofOtherType = matched != MESSAGE.length() && matched != 0;
      default -> {}
    }
    lineBegins();
  }

  private void eventEnded() {
    over = dataBegun && !ofOtherType;
    if (over) {
      body.ended();
    } else {
      eventBegins();
    }
  }

  private int takeData(MemorySegment in, int from, int to) {
    int end = from;
    while (end < to && in.get(JAVA_BYTE, end) != '\n' && in.get(JAVA_BYTE, end) != '\r') {
      end++;
    }
    body.take(in, from, end);
    if (end < to) {
      take(in.get(JAVA_BYTE, end++));
    }
    return end;
  }
}
