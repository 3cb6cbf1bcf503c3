// reference_server THREADS
//
// The least that the floor server's work costs in C: one epoll instance and one buffer per thread, edge-triggered,
// one SO_REUSEPORT listener each. Prints its port. Only for clients that read: a short write ends the process, as
// what would have to be kept then is no part of what is compared. Ends with its stdin.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER = 65536, EVENTS = 512, BACKLOG = 4096 };
static struct sockaddr_in address = {.sin_family = AF_INET};

static void fail(const char *what) {
  perror(what);
  exit(3);
}

static int listen_here(void) {
  int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  socklen_t length = sizeof address;
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one)) fail("socket");
  if (bind(fd, (void *)&address, sizeof address) || listen(fd, BACKLOG)) fail("listen");
  if (getsockname(fd, (void *)&address, &length)) fail("getsockname");
  return fd;
}

static void accept_all(int listener, int epoll) {
  int one = 1, fd;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
    struct epoll_event e = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = fd};
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) fail("setsockopt");
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e)) fail("epoll_ctl");
  }
  if (errno != EAGAIN && errno != ECONNABORTED) fail("accept4");
}

static void echo(int fd, int ended) {
  static __thread char buffer[BUFFER];
  ssize_t n;
  do {
    n = read(fd, buffer, sizeof buffer);
    if (n > 0) {
      ssize_t w = write(fd, buffer, n);
      if (w < 0 && (errno == ECONNRESET || errno == EPIPE)) n = 0;
      else if (w != n) fail("write");
    }
    if (n == 0 || (n < 0 && errno != EAGAIN)) close(fd);
  } while (n > 0 && (n == sizeof buffer || ended));
}

static void *loop(void *listening) {
  int listener = (int)(long)listening, epoll = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &e)) fail("epoll");
  for (;;) {
    int n = epoll_wait(epoll, events, EVENTS, -1);
    if (n < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < n; i++) {
      if (events[i].data.fd == listener) accept_all(listener, epoll);
      else echo(events[i].data.fd, events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR));
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < atoi(argv[1]); i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, loop, (void *)(long)listen_here())) fail("pthread_create");
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  while (getchar() != EOF) {}
  return 0;
}
