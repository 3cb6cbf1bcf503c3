// delay_server FAST_US SLOW_SHARE SLOW_US STALL_MS STALL_EVERY_MS
//
// An echo server whose delays are known: each message of 64 bytes is answered FAST_US after it was read, a share of them (0-1, drawn
// by a fixed seed) SLOW_US after, and none within the first STALL_MS of each STALL_EVERY_MS (0 = never). It polls without ever
// sleeping, so that no wake-up is in its times: it takes a processor of its own.
//
// Prints its port, and at the end of its standard input the quantiles of the delays it made, from the end of the read to just before
// the write: "p50 p90 p99 count", ns.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE = 64, MOST = 65536, EVENTS = 256 };

struct owed {
  int fd;
  int64_t due, read;
  char message[MESSAGE];
};

static struct owed waiting[MOST];
static int64_t *made, stall_ns, stall_every_ns, began;
static int owed, count, room;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(3);
}

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static int64_t due_ns(int64_t read, int64_t delay) {
  int64_t due = read + delay;
  if (stall_every_ns && (due - began) % stall_every_ns < stall_ns) due += stall_ns - (due - began) % stall_every_ns;
  return due;
}

static void answer(struct owed *o) {
  int64_t now = now_ns();
  if (write(o->fd, o->message, MESSAGE) != MESSAGE) fail("write");
  if (count == room && !(made = realloc(made, (room = 2 * room + 4096) * sizeof *made))) fail("realloc");
  made[count++] = now - o->read;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: delay_server FAST_US SLOW_SHARE SLOW_US STALL_MS STALL_EVERY_MS\n");
    return 2;
  }
  int64_t fast = atof(argv[1]) * 1e3, slow = atof(argv[3]) * 1e3;
  double share = atof(argv[2]);
  stall_ns = atoi(argv[4]) * 1000000LL, stall_every_ns = atoi(argv[5]) * 1000000LL;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0), one = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof at;
  if (bind(listener, (void *)&at, sizeof at) || listen(listener, 4096) || getsockname(listener, (void *)&at, &length)) fail("listen");
  struct epoll_event e = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &e)) fail("epoll_ctl");
  fcntl(0, F_SETFL, O_NONBLOCK);
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  srand48(7);
  began = now_ns();
  char byte;
  for (long turn = 0; turn % 1024 || read(0, &byte, 1) != 0; turn++) {
    int n = epoll_wait(epoll, events, EVENTS, 0);
    for (int i = 0; i < n; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        if ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) < 0) continue;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct epoll_event added = {.events = EPOLLIN, .data.fd = fd};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &added)) fail("epoll_ctl");
        continue;
      }
      // A message of 64 bytes comes in one piece, and the next after its answer.
      struct owed *o = &waiting[owed];
      if (read(fd, o->message, MESSAGE) != MESSAGE) {
        close(fd);
        continue;
      }
      o->fd = fd, o->read = now_ns();
      o->due = due_ns(o->read, drand48() < share ? slow : fast);
      if (++owed == MOST) fail("too many messages");
    }
    int64_t now = now_ns();
    for (int i = 0; i < owed; i++)
      if (waiting[i].due <= now) answer(&waiting[i]), waiting[i--] = waiting[--owed];
  }
  qsort(made, count, sizeof *made, ascending);
  if (count) printf("%ld %ld %ld %d\n", (long)made[count / 2], (long)made[count / 10 * 9], (long)made[count / 100 * 99], count);
  return 0;
}
