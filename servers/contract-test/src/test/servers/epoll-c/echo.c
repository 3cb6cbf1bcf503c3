// TCP echo within the contract of servers/README.md: one thread, one epoll instance, level-triggered.
#define _GNU_SOURCE
#include "epoll-c.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, ACCEPT_BATCH = 64, RESERVE = 8, PAGES = 6, HEAD_BYTES = 8192, PAUSE_MS = 50, HEAD_MS = 10000 };
enum kind { NONE, LISTENER, PAGE_LISTENER, SIGNALS, STDIN, ECHO, PAGE };

// What a descriptor is. Of an echo connection, 'bytes' is what its client has yet to take; of a page's, the head so far.
struct peer {
  enum kind kind;
  char *bytes;
  size_t length, done;
  long long since_ms;
};

static struct options options;
static struct counts counts;
static struct peer *peers;
static int peers_known;
static int epoll, listener, page_listener;
static int reserve[RESERVE], reserved;
static int pages; // open connections of the page
static char *buffer;
static long long resume_at_ms, logged_at_ms = -1000;
static int stopping;

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void fail(const char *what) {
  fprintf(stderr, NAME ": %s failed: %s\n", what, strerror(errno));
  exit(COULD_NOT_RUN);
}

// Remembers and watches a descriptor; 0, or -1 where that cannot be.
static int watch(int fd, enum kind kind, unsigned events) {
  if (fd >= peers_known) {
    int more = fd + fd / 2 + 64;
    struct peer *grown = realloc(peers, more * sizeof *peers);
    if (grown == NULL) {
      return -1;
    }
    memset(grown + peers_known, 0, (more - peers_known) * sizeof *peers);
    peers = grown;
    peers_known = more;
  }
  struct epoll_event event = {.events = events, .data.fd = fd};
  if (epoll_ctl(epoll, peers[fd].kind == NONE ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event) < 0) {
    return -1;
  }
  peers[fd].kind = kind;
  return 0;
}

static void drop(int fd) {
  counts.closed += peers[fd].kind == ECHO;
  pages -= peers[fd].kind == PAGE;
  free(peers[fd].bytes);
  peers[fd] = (struct peer){0};
  close(fd);
}

static void broken(int fd) {
  counts.broken++;
  drop(fd);
}

static void release_reserve(void) {
  while (reserved > 0) {
    close(reserve[--reserved]);
  }
}

// Counts a failed accept, says why at most once a second, and pauses: a waiting connection would fail again at once.
static void accept_failed(int why) {
  release_reserve();
  *(why == EMFILE ? &counts.emfile : why == ENFILE ? &counts.enfile : &counts.other) += 1;
  long long now = now_ms();
  if (now - logged_at_ms >= 1000) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    logged_at_ms = now;
    fprintf(stderr, NAME ": accept failed with %lld connections open: %s", counts.accepted - counts.closed, strerror(why));
    if (why == EMFILE) {
      fprintf(stderr, "; the limit is this process's RLIMIT_NOFILE, which is %llu (ulimit -n): raise its hard limit"
          " before the start", (unsigned long long)limit.rlim_cur);
    }
    fputc('\n', stderr);
  }
  if (!stopping) {
    resume_at_ms = now + PAUSE_MS;
    watch(listener, LISTENER, 0);
  }
}

// Connections are accepted only while the reserve is full; the metrics page lives on what it gives back.
static int may_accept(void) {
  while (reserved < RESERVE) {
    int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) {
      accept_failed(errno);
      return 0;
    }
    reserve[reserved++] = fd;
  }
  return 1;
}

static void accept_some(void) {
  for (int i = 0; i < ACCEPT_BATCH && may_accept(); i++) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno != EAGAIN && errno != EINTR) {
        accept_failed(errno);
      }
      return;
    }
    int on = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0 || watch(fd, ECHO, EPOLLIN) < 0) {
      int why = errno;
      close(fd);
      accept_failed(why);
      return;
    }
    counts.accepted++;
  }
}

// Takes one connection more for the page; the one that waits longest to be asked makes room for it.
static void accept_page(void) {
  int fd = accept4(page_listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
      accept_failed(errno);
    }
    return;
  }
  if (pages == PAGES) {
    int oldest = -1;
    for (int i = 0; i < peers_known; i++) {
      if (peers[i].kind == PAGE && (oldest < 0 || peers[i].since_ms < peers[oldest].since_ms)) {
        oldest = i;
      }
    }
    drop(oldest);
  }
  if (watch(fd, PAGE, EPOLLIN) < 0) {
    close(fd);
    return;
  }
  pages++;
  peers[fd].since_ms = now_ms();
  peers[fd].bytes = malloc(HEAD_BYTES + 1);
  if (peers[fd].bytes == NULL) {
    drop(fd);
  }
}

static void read_page(int fd) {
  struct peer *peer = &peers[fd];
  ssize_t n = read(fd, peer->bytes + peer->length, HEAD_BYTES - peer->length);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (n <= 0) {
    drop(fd);
    return;
  }
  peer->length += n;
  peer->bytes[peer->length] = '\0';
  if (strstr(peer->bytes, "\r\n\r\n") != NULL) {
    static char out[8192];
    size_t length = answer(out, sizeof out, peer->bytes, &counts, strncmp(options.host, "127.", 4) == 0);
    // An empty socket buffer holds it whole.
    (void)!send(fd, out, length, MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    drop(fd);
  } else if (peer->length == HEAD_BYTES) {
    drop(fd);
  }
}

// Writes what the client takes. The rest, one buffer at most, is kept, and nothing more is read until it is gone.
static void write_back(int fd, size_t length) {
  ssize_t n = send(fd, buffer, length, MSG_NOSIGNAL);
  if (n < 0 && errno != EAGAIN && errno != EINTR) {
    broken(fd);
    return;
  }
  n = n < 0 ? 0 : n;
  counts.sent_bytes += n;
  if ((size_t)n == length) {
    return;
  }
  struct peer *peer = &peers[fd];
  *peer = (struct peer){.kind = ECHO, .bytes = malloc(length - n), .length = length - n};
  if (peer->bytes == NULL || watch(fd, ECHO, EPOLLOUT) < 0) {
    broken(fd);
    return;
  }
  memcpy(peer->bytes, buffer + n, length - n);
}

static void echo(int fd) {
  struct peer *peer = &peers[fd];
  if (peer->bytes != NULL) {
    ssize_t n = send(fd, peer->bytes + peer->done, peer->length - peer->done, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
      broken(fd);
    } else if (n > 0) {
      counts.sent_bytes += n;
      peer->done += n;
      if (peer->done == peer->length) {
        free(peer->bytes);
        *peer = (struct peer){.kind = ECHO};
        watch(fd, ECHO, EPOLLIN);
      }
    }
    return;
  }
  ssize_t n = read(fd, buffer, options.buffer_bytes);
  if (n > 0) {
    counts.received_bytes += n;
    write_back(fd, n);
  } else if (n == 0) {
    drop(fd); // Nothing is owed to it: while something is, nothing is read.
  } else if (errno != EAGAIN && errno != EINTR) {
    broken(fd);
  }
}

// From here on the kernel ends each connection after what it has received, and that is echoed as ever.
static void stop(const char *cause) {
  if (stopping) {
    return;
  }
  fprintf(stderr, NAME ": stopping: %s\n", cause);
  stopping = 1;
  drop(listener);
  for (int fd = 0; fd < peers_known; fd++) {
    if (peers[fd].kind == ECHO) {
      shutdown(fd, SHUT_RD);
    }
  }
}

static void handle(int fd) {
  char bytes[sizeof(struct signalfd_siginfo)];
  switch (peers[fd].kind) {
    case LISTENER: accept_some(); break;
    case PAGE_LISTENER: accept_page(); break;
    case ECHO: echo(fd); break;
    case PAGE: read_page(fd); break;
    case SIGNALS: (void)!read(fd, bytes, sizeof bytes); stop("a signal"); break;
    case STDIN:
      if (read(fd, bytes, sizeof bytes) <= 0) {
        drop(fd);
        stop("stdin ended");
      }
      break;
    case NONE: break; // Dropped earlier in this round.
  }
}

static void drop_slow_pages(long long now) {
  for (int fd = 0; pages > 0 && fd < peers_known; fd++) {
    if (peers[fd].kind == PAGE && now - peers[fd].since_ms > HEAD_MS) {
      drop(fd);
    }
  }
}

static void serve(void) {
  long long end_ms = 0;
  while (!stopping || (counts.accepted > counts.closed && now_ms() < end_ms)) {
    struct epoll_event events[EVENTS];
    // With nothing due it still looks around: it ends connections of the page that ask nothing.
    int n = epoll_wait(epoll, events, EVENTS, resume_at_ms > 0 || stopping ? 10 : 1000);
    for (int i = 0; i < n; i++) {
      handle(events[i].data.fd);
    }
    long long now = now_ms();
    if (resume_at_ms > 0 && now >= resume_at_ms && !stopping) {
      resume_at_ms = 0;
      watch(listener, LISTENER, EPOLLIN);
    }
    if (stopping && end_ms == 0) {
      end_ms = now + options.drain_ms;
    }
    drop_slow_pages(now);
  }
}

static int listen_at(const char *host, long port, long backlog, int *bound_port) {
  int all = strcmp(host, ALL_OF_LOOPBACK) == 0;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  socklen_t size = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  inet_pton(AF_INET, all ? "0.0.0.0" : host, &address.sin_addr);
  if (fd < 0 || (all && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3) < 0) ||
      setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
      bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, (int)backlog) < 0 ||
      getsockname(fd, (struct sockaddr *)&address, &size) < 0) {
    fprintf(stderr, NAME ": could not listen on %s:%ld: %s. See who has it with 'ss -tanp sport = :%ld', or give"
        " another port\n", host, port, strerror(errno), port);
    exit(COULD_NOT_RUN);
  }
  *bound_port = ntohs(address.sin_port);
  return fd;
}

int main(int count, char **arguments) {
  options = read_options(count, arguments);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  int port, metrics_port;
  buffer = malloc(options.buffer_bytes);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  int signals = signalfd(-1, &ends, SFD_CLOEXEC);
  if (buffer == NULL || epoll < 0 || signals < 0 || open_page() < 0) {
    fail("start");
  }
  int all = strcmp(options.host, ALL_OF_LOOPBACK) == 0;
  listener = listen_at(options.host, options.port, options.backlog, &port);
  page_listener = listen_at(all ? "127.0.0.1" : options.host, options.metrics_port, 64, &metrics_port);
  if (watch(listener, LISTENER, EPOLLIN) < 0 || watch(page_listener, PAGE_LISTENER, EPOLLIN) < 0 ||
      watch(signals, SIGNALS, EPOLLIN) < 0) {
    fail("epoll_ctl");
  }
  char drain[32];
  write_duration(drain, sizeof drain, options.drain_ms);
  may_accept(); // what it lives on is put by before anybody is told that it is there
  printf("{\"ready\":true,\"server\":\"" NAME "\",\"pid\":%ld,\"host\":\"%s\",\"port\":%d,\"metrics_port\":%d,"
      "\"config\":{\"backlog\":%ld,\"drain\":\"%s\",\"buffer_bytes\":%ld,\"stop_on_stdin_eof\":%s}}\n",
      (long)getpid(), options.host, port, metrics_port, options.backlog, drain, options.buffer_bytes,
      options.stop_on_stdin_eof ? "true" : "false");
  fflush(stdout);
  // A file, which cannot be watched, has ended as soon as one asks.
  if (options.stop_on_stdin_eof && watch(STDIN_FILENO, STDIN, EPOLLIN) < 0) {
    stop("stdin cannot be waited for");
  }
  serve();
  return STOPPED_AS_ASKED;
}
