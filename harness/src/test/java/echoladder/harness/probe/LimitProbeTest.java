package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Counters of the kernel, as its files have them. */
class LimitProbeTest {
  private static long count(Reading reading, Figure figure) {
    return reading.get(figure).orElse(-1);
  }

  @Test
  void countersOfTcpAreReadByTheirNames() {
    Reading reading = new Reading(1);
    LimitProbe.netstat(
        List.of(
            "TcpExt: ListenOverflows TCPSynRetrans TCPAutoCorking TCPFastRetrans TCPTimeouts BusyPollRxPackets", "TcpExt: 3 7 11 2 5 13",
            "IpExt: InOctets", "IpExt: 99",
            "Ip: Forwarding InReceives", "Ip: 1 500", "Tcp: MaxConn OutSegs RetransSegs", "Tcp: -1 900 12"),
        reading);
    assertThat(count(reading, Figure.LISTEN_OVERFLOWS)).isEqualTo(3);
    assertThat(count(reading, Figure.SYN_RETRANSMITS)).isEqualTo(7);
    assertThat(count(reading, Figure.TCP_AUTOCORKINGS)).isEqualTo(11);
    assertThat(count(reading, Figure.TCP_RETRANSMITS)).as("all but the handshakes, whether a timer, an acknowledgement or a probe asked for it").isEqualTo(5);
    assertThat(count(reading, Figure.BUSY_POLL_PACKETS)).isEqualTo(13);
    assertThat(count(reading, Figure.TCP_PRUNES)).as("which this kernel does not have").isEqualTo(-1);
  }

  /** A server behind a network has a namespace of its own, whose counts are added. */
  @Test
  void countersOfBothNamespacesAreAddedUp() {
    Reading reading = new Reading(1);
    List<String> here = List.of("TcpExt: ListenOverflows TCPSynRetrans", "TcpExt: 1 2", "Tcp: RetransSegs", "Tcp: 3");
    List<String> there = List.of("TcpExt: ListenOverflows TCPSynRetrans", "TcpExt: 10 20", "Tcp: RetransSegs", "Tcp: 41");
    LimitProbe.netstat(Stream.of(here, there).flatMap(List::stream).toList(), reading);
    assertThat(count(reading, Figure.LISTEN_OVERFLOWS)).isEqualTo(11);
    assertThat(count(reading, Figure.TCP_RETRANSMITS)).isEqualTo(22);
    assertThat(LimitProbe.networks(null)).containsExactly("/proc/net");
    assertThat(LimitProbe.networks(ProcessHandle.current().pid())).containsExactly("/proc/net");
  }

  @Test
  void softnetIsSummedOverTheProcessors() {
    Reading reading = new Reading(1);
    LimitProbe.softnet(
        List.of(
            "00000010 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0000000a 00000000 00000000 00000000",
            "00000020 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000001 00000000 00000000 00000001"),
        reading);
    assertThat(count(reading, Figure.SOFTNET_PACKETS)).isEqualTo(0x30);
    assertThat(count(reading, Figure.SOFTNET_DROPS)).isEqualTo(1);
    assertThat(count(reading, Figure.SOFTNET_STEERED)).isEqualTo(11);
  }

  @Test
  void countsOfMemoryAreReadByTheirNames() {
    Reading reading = new Reading(1);
    LimitProbe.vmstat(List.of("nr_free_pages 5", "oom_kill 2", "thp_fault_alloc 17", "thp_fault_fallback 3"), reading);
    assertThat(count(reading, Figure.HOST_OOM_KILLS)).isEqualTo(2);
    assertThat(count(reading, Figure.HOST_HUGE_PAGE_FAULTS)).isEqualTo(17);
  }
}
