package echoladder.tcpkali;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Recorded datagrams, and what is made of them. */
class StatsdTest {
  private static final long QUARTER_NS = 250_000_000L;

  @Test
  void recordedDatagramsAreTraffic() throws Exception {
    Statsd statsd = new Statsd();
    List<Statsd.Brought> brought =
        Sample.text("tcpkali-statsd.udp")
            .transform(text -> List.of(text.split("--- datagram \\d+\n", -1)))
            .stream()
            .map(statsd::take)
            .toList();
    // Before the first heading stands nothing.
    assertThat(brought.get(0)).isEqualTo(new Statsd.Brought(null, null));
    assertThat(brought.get(1).traffic()).isEqualTo(new Statsd.Traffic(0, 0, 0, 0));
    assertThat(brought.get(2).traffic()).isEqualTo(new Statsd.Traffic(1, 0, 0, 0));
    assertThat(brought.get(3).traffic()).isNull();
    assertThat(brought.get(3).times())
        .extracting(t -> t.msByPercent().toString())
        .isEqualTo("{95.0=0.1, 99.0=2.1, 99.5=2.6}");
    assertThat(brought.get(4).traffic()).isEqualTo(new Statsd.Traffic(0, 20, 250, 250));
    assertThat(brought.get(4).times()).isNull();
  }

  @Test
  void aWindowMayFillSeveralDatagrams() {
    Statsd statsd = new Statsd();
    String first = "t.latency.connect.max:0.1|g\nt.latency.message.50:0.4|g\nt.latency.message.99.9:1.5|g";
    assertThat(statsd.take(first).times()).isNull();
    String last = "t.latency.message.100:9|g\nt.latency.message.mean:0.6|g\nt.latency.message.max:9|g";
    assertThat(statsd.take(last).times())
        .hasToString("Times[msByPercent={50.0=0.4, 99.9=1.5, 100.0=9.0}, meanMs=0.6]");
    // The next window begins empty.
    assertThat(statsd.take("t.latency.message.50:0.5|g\nt.latency.message.max:1|g").times())
        .hasToString("Times[msByPercent={50.0=0.5}, meanMs=null]");
  }

  @Test
  void whatIsNoStatsdIsNothing() {
    assertThat(new Statsd().take("hello\n:|\na.b:c|g\n")).isEqualTo(new Statsd.Brought(null, null));
  }

  @Test
  void trafficBetweenTwoMomentsIsSpreadOverItsQuarter() {
    TrafficLog log = steady(8);
    assertThat(log.sentBytes(QUARTER_NS, 5 * QUARTER_NS)).isEqualTo(400, within(1e-6));
    assertThat(log.sentBytes(QUARTER_NS * 3 / 2, QUARTER_NS * 2)).isEqualTo(50, within(1e-6));
    assertThat(log.receivedBytes(0, 8 * QUARTER_NS)).isEqualTo(720, within(1e-6));
    assertThat(log.inFlightBytes(8 * QUARTER_NS)).isEqualTo(80);
    assertThat(log.medianInFlightBytes(0, 8 * QUARTER_NS)).isEqualTo(40);
    assertThat(log.worstBacklogSeconds(0, 8 * QUARTER_NS, 400)).isEqualTo(0, within(1e-6));
  }

  @Test
  void aStandstillOfTheSendsIsABacklogAlsoWhereItIsCaughtUpWith() {
    TrafficLog log = steady(4);
    for (int i = 5; i <= 8; i++) {
      log.add(i * QUARTER_NS, new Statsd.Traffic(0, 4, 0, 0));
    }
    log.add(9 * QUARTER_NS, new Statsd.Traffic(0, 4, 500, 500));
    assertThat(log.worstBacklogSeconds(0, 9 * QUARTER_NS, 400)).isEqualTo(1.0, within(1e-6));
    assertThat(log.worstBacklogSeconds(0, 4 * QUARTER_NS, 400)).isEqualTo(0, within(1e-6));
    assertThat(log.worstBacklogSeconds(0, 4 * QUARTER_NS, 0)).isZero();
  }

  /** 100 bytes a quarter sent, 90 received. */
  private static TrafficLog steady(int quarters) {
    TrafficLog log = new TrafficLog(0);
    for (int i = 1; i <= quarters; i++) {
      log.add(i * QUARTER_NS, new Statsd.Traffic(0, 4, 100, 90));
    }
    return log;
  }

  @Test
  void datagramsArriveInOrderWithTheirTime() throws Exception {
    Queue<String> arrived = new ConcurrentLinkedQueue<>();
    long before = System.nanoTime();
    try (StatsdListener listener =
            StatsdListener.open((text, ns) -> arrived.add(text + (ns >= before ? " in time" : " too early")));
        DatagramSocket sender = new DatagramSocket()) {
      for (String text : List.of("one", "two")) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        sender.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName("127.0.0.1"), listener.port()));
      }
      await().untilAsserted(() -> assertThat(arrived).containsExactly("one in time", "two in time"));
    }
  }
}
