package echoladder.servers.floor;

import echoladder.linux.Errno;

/** Echoes over TCP: two system calls an echo beside the wait that it shares with others. */
final class EchoLoop extends Loop {
  private final Echoes echoes = new Echoes(this);

  EchoLoop(LoopSetup setup) {
    super(setup);
  }

  @Override
  void readable(int fd, int mask) {
    int n = echoes.echo(fd, mask);
    if (n == 0) {
      close(fd);
    } else if (n < 0 && n != -Errno.EAGAIN) {
      broken(fd);
    }
  }

  @Override
  void writable(int fd) {
    echoes.writable(fd);
  }

  @Override
  void forget(int fd) {
    echoes.forget(fd);
  }
}
