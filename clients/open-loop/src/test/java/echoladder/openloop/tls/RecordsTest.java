package echoladder.openloop.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Tls;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client does with the records of a server, which seals what no server's library would. */
class RecordsTest {
  private static final int ROOM = 128 << 10;
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;
  private static final int DATA = 23;
  private static final byte[] KEY_UPDATE = {24, 0, 0, 1, 0};
  private static final byte[] KEY_UPDATE_REQUESTED = {24, 0, 0, 1, 1};

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment plain = arena.allocate(ROOM);
  private final WaitingBytes in = new WaitingBytes(2, arena);
  private final WaitingBytes out = new WaitingBytes(2, arena);
  private Records records;
  private RecordKeys server;

  /** OpenSSL knows the names of alerts once it has made a context. */
  @BeforeAll
  static void openSsl() {
    assertThat(TlsSessions.complaint(new Tls(Tls.LATEST, "localhost", null))).isNull();
  }

  @BeforeEach
  void begin() {
    records = new Records(2, in, out, null);
    server = new RecordKeys(1);
    records.begin(0, RecordKeysTest.CLIENT_SECRET, RecordKeysTest.SERVER_SECRET);
    server.begin(0, RecordKeysTest.SERVER_SECRET, RecordKeysTest.CLIENT_SECRET);
  }

  @AfterEach
  void end() {
    in.forget(0);
    out.forget(0);
    out.forget(1);
    records.close();
    server.close();
  }

  private byte[] record(int type, byte... content) {
    MemorySegment from = arena.allocate(Math.max(1, content.length));
    MemorySegment.copy(content, 0, from, JAVA_BYTE, 0, content.length);
    MemorySegment to = arena.allocate(content.length + 32L);
    int length = server.seal(0, type, from.address(), content.length, to.address());
    return to.asSlice(0, length).toArray(JAVA_BYTE);
  }

  private byte[] data(String text) {
    return record(DATA, ascii(text));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private String read(byte[]... parts) {
    byte[] bytes = joined(parts);
    MemorySegment from = arena.allocate(Math.max(1, bytes.length));
    MemorySegment.copy(bytes, 0, from, JAVA_BYTE, 0, bytes.length);
    in.lend(0, from.address(), bytes.length);
    int n = records.read(0, plain, ROOM);
    return new String(plain.asSlice(0, n).toArray(JAVA_BYTE), StandardCharsets.US_ASCII);
  }

  /** Content and type of the only record that waits to be sent. */
  private byte[] said() {
    int bytes = out.bytes(0);
    assertThat(bytes).isPositive();
    MemorySegment to = arena.allocate(bytes);
    int n = server.open(0, out.at(0), bytes, to.address());
    assertThat(n).as("opened").isPositive();
    out.remove(0, bytes);
    return to.asSlice(0, n).toArray(JAVA_BYTE);
  }

  private void sealsAndOpens() {
    assertThat(records.cause()).isNull();
    MemorySegment from = arena.allocateFrom(JAVA_BYTE, ascii("there"));
    assertThat(records.seal(0, from.address(), 5)).isEqualTo(5);
    assertThat(said()).isEqualTo(joined(ascii("there"), new byte[] {DATA}));
    assertThat(read(data("and back"))).isEqualTo("and back");
    assertThat(records.cause()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 26, 27, 1_000})
  void recordsMayComeInPiecesOfAnySize(int piece) {
    byte[] all = joined(data("one"), data("two, longer"), record(HANDSHAKE, (byte) 4, (byte) 0, (byte) 0, (byte) 1, (byte) 7), data("three"));
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < all.length; at += piece) {
      byte[] part = new byte[Math.min(piece, all.length - at)];
      System.arraycopy(all, at, part, 0, part.length);
      text.append(read(part));
    }
    assertThat(text).hasToString("onetwo, longerthree");
    assertThat(in.bytes(0)).isZero();
    sealsAndOpens();
  }

  @Test
  void theLargestRecordIsTaken() {
    byte[] full = new byte[TlsSessions.RECORD_BYTES];
    full[0] = 'a';
    full[full.length - 1] = 'z';
    assertThat(read(record(DATA, full))).hasSize(TlsSessions.RECORD_BYTES).startsWith("a").endsWith("z");
    sealsAndOpens();
  }

  /** Zeros behind the type (RFC 8446, 5.4). */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 255})
  void paddingIsCutOff(int zeros) {
    byte[] padded = joined(ascii("text"), new byte[] {DATA}, new byte[zeros - 1]);
    assertThat(read(record(0, padded))).isEqualTo("text");
    sealsAndOpens();
  }

  @Test
  void aRecordWithoutBytesIsNothing() {
    assertThat(read(record(0, (byte) DATA))).isEmpty();
    sealsAndOpens();
  }

  @Test
  void ticketsArePassedOverAlsoTwoInOneAndOneInSeveral() {
    byte[] ticket = joined(new byte[] {4, 0, 1, 0}, new byte[256]);
    byte[] begun = joined(ticket, new byte[] {4, 0, 0, 30}, new byte[9]);
    byte[] rest = joined(new byte[21], KEY_UPDATE);
    byte[] first = record(HANDSHAKE, begun);
    byte[] second = record(HANDSHAKE, rest);
    server.updateOwn(0);
    assertThat(read(first, second, data("behind"))).isEqualTo("behind");
    sealsAndOpens();
  }

  @Test
  void aKeyUpdateThatAsksForNoneIsFollowed() {
    for (int i = 0; i < 3; i++) {
      byte[] update = record(HANDSHAKE, KEY_UPDATE);
      server.updateOwn(0);
      assertThat(read(update, data("behind"))).isEqualTo("behind");
      assertThat(out.bytes(0)).as("no answer").isZero();
      sealsAndOpens();
    }
  }

  @Test
  void aKeyUpdateThatAsksForOneIsAnsweredByTheOldKeys() {
    for (int i = 0; i < 3; i++) {
      byte[] update = record(HANDSHAKE, KEY_UPDATE_REQUESTED);
      server.updateOwn(0);
      assertThat(read(update, data("behind"))).isEqualTo("behind");
      assertThat(said()).isEqualTo(joined(KEY_UPDATE, new byte[] {HANDSHAKE}));
      server.updatePeers(0);
      sealsAndOpens();
    }
  }

  @Test
  void answersThatNobodyReadsDoNotWaitWithoutEnd() {
    for (int i = 0; i < 10_000 && records.cause() == null; i++) {
      byte[] update = record(HANDSHAKE, KEY_UPDATE_REQUESTED);
      server.updateOwn(0);
      read(update);
    }
    assertThat(records.cause()).isEqualTo("TLS: key updates asked for whose answers the server does not read");
    assertThat(out.bytes(0)).isLessThan(70_000);
  }

  @Test
  void closeNotifyEndsBehindWhatCameBefore() {
    assertThat(read(data("last"), record(ALERT, (byte) 1, (byte) 0), data("ignored"))).isEqualTo("last");
    assertThat(records.ended()).isTrue();
    assertThat(records.cause()).isNull();
    records.sayEnd(0);
    assertThat(said()).containsExactly(1, 0, ALERT);
  }

  @Test
  void userCanceledIsNoEnd() {
    assertThat(read(record(ALERT, (byte) 1, (byte) 90), data("on"))).isEqualTo("on");
    assertThat(records.ended()).isFalse();
    sealsAndOpens();
  }

  @ParameterizedTest
  @CsvSource({"80, internal error", "20, bad record mac", "116, certificate required", "200, number 200"})
  void anAlertIsToldByItsName(int alert, String name) {
    assertThat(read(data("last"), record(ALERT, (byte) 2, (byte) alert))).isEqualTo("last");
    assertThat(records.cause()).isEqualTo("TLS: alert from the server: " + name);
    assertThat(out.bytes(0)).as("nothing is said after an alert").isZero();
  }

  private void refused(int alert, String cause, byte[] record) {
    assertThat(read(data("last"), record, data("never"))).isEqualTo("last");
    assertThat(records.cause()).isEqualTo("TLS: " + cause);
    assertThat(said()).containsExactly(2, alert, ALERT);
  }

  /** The head of a record, with zeros behind it. */
  private static byte[] head(int type, int length) {
    return joined(new byte[] {(byte) type, 3, 3, (byte) (length >> 8), (byte) length}, new byte[64]);
  }

  @Test
  void aRecordThatFailsItsTagIsRefused() {
    byte[] before = data("last");
    byte[] broken = data("broken");
    broken[broken.length - 1] ^= 1;
    assertThat(read(before, broken)).isEqualTo("last");
    assertThat(records.cause()).isEqualTo("TLS: decryption failed or bad record mac");
    assertThat(said()).containsExactly(2, 20, ALERT);
  }

  @ParameterizedTest
  @CsvSource({"20", "21", "22", "72", "0"})
  void plainTextIsRefused(int type) {
    refused(10, "plain text behind the handshake: a record that is not sealed", head(type, 2));
  }

  @Test
  void lengthsThatNoRecordHasAreRefused() {
    refused(22, "a record longer than TLS allows", head(DATA, (16 << 10) + 257));
  }

  @Test
  void aRecordShorterThanTypeAndTagIsRefused() {
    refused(50, "a record too short to be sealed", head(DATA, 16));
  }

  /** Its cause is told when it is met; the record of the test is sealed before the others are. */
  private void refusedInside(int alert, String cause, int type, byte... content) {
    byte[] before = data("last");
    byte[] record = record(type, content);
    assertThat(read(before, record)).isEqualTo("last");
    assertThat(records.cause()).isEqualTo("TLS: " + cause);
    assertThat(said()).containsExactly(2, alert, ALERT);
  }

  @Test
  void paddingAloneIsRefused() {
    refusedInside(10, "a record of padding alone", 0, (byte) 0, (byte) 0);
  }

  @Test
  void moreThanARecordMayHoldIsRefused() {
    refusedInside(22, "a record longer than TLS allows", DATA, new byte[TlsSessions.RECORD_BYTES + 1]);
  }

  @Test
  void anUnknownTypeIsRefused() {
    refusedInside(10, "a record of unexpected type 99", 99, (byte) 1);
  }

  @Test
  void anotherHandshakeMessageIsRefused() {
    refusedInside(10, "an unexpected handshake message of type 13", HANDSHAKE, (byte) 13, (byte) 0, (byte) 0, (byte) 0);
  }

  @Test
  void aHeadInTwoRecordsIsRefused() {
    refusedInside(10, "the head of a handshake message in two records", HANDSHAKE, (byte) 4, (byte) 0);
  }

  @Test
  void anEmptyHandshakeRecordIsRefused() {
    refusedInside(10, "an empty record of the handshake", 0, (byte) HANDSHAKE);
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 0", "1, 255"})
  void aKeyUpdateThatIsNoneIsRefused(int length, int asked) {
    refusedInside(
        50, "a key update that does not end its record", HANDSHAKE, (byte) 24, (byte) 0, (byte) 0, (byte) length, (byte) asked);
  }

  @Test
  void aKeyUpdateWithSomethingBehindItIsRefused() {
    refusedInside(50, "a key update that does not end its record", HANDSHAKE, joined(KEY_UPDATE, new byte[] {4}));
  }

  @Test
  void anAlertOfAnotherLengthIsRefused() {
    refusedInside(50, "an alert that is not two bytes long", ALERT, (byte) 2, (byte) 80, (byte) 0);
  }

  /** A full socket leaves a record behind, and the next connection is sealed in its place. */
  @Test
  void whatWasNotSentWaitsWhileOthersAreSealed() {
    records.begin(1, RecordKeysTest.SERVER_SECRET, RecordKeysTest.CLIENT_SECRET);
    MemorySegment from = arena.allocateFrom(JAVA_BYTE, ascii("first"));
    records.seal(0, from.address(), 5);
    MemorySegment whole = arena.allocateFrom(JAVA_BYTE, MemorySegment.ofAddress(out.at(0)).reinterpret(out.bytes(0)).toArray(JAVA_BYTE));
    out.remove(0, 3);
    records.seal(1, from.address(), 5);
    assertThat(out.bytes(1)).isEqualTo((int) whole.byteSize());
    assertThat(MemorySegment.ofAddress(out.at(0)).reinterpret(out.bytes(0)).toArray(JAVA_BYTE))
        .isEqualTo(whole.asSlice(3).toArray(JAVA_BYTE));
    // Behind what waits, and not before it.
    records.seal(0, from.address(), 5);
    assertThat(out.bytes(0)).isEqualTo(2 * (int) whole.byteSize() - 3);
  }
}
