package echoladder.linux.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventDescriptorTest {
  private static final long LONG_NS = 60_000_000_000L;
  private static final int TOKEN = 7;

  @Test
  void endsAnotherThreadsWaitAsOftenAsItIsWokenAlthoughNobodyReadsIt() throws InterruptedException {
    SystemCalls sys = new SystemCalls();
    try (Epoll epoll = Epoll.open(sys, 4)) {
      int fd = sys.eventDescriptor();
      assertThat(fd).isPositive();
      assertThat(epoll.add(fd, Epoll.IN | Epoll.EDGE, TOKEN)).isZero();
      assertThat(epoll.await(0)).isZero();
      for (int i = 0; i < 3; i++) {
        Thread waker = Thread.ofPlatform().start(() -> new SystemCalls().wake(fd));
        assertThat(epoll.await(LONG_NS)).isEqualTo(1);
        assertThat(epoll.token(0)).isEqualTo(TOKEN);
        waker.join();
      }
      sys.close(fd);
    }
  }
}
