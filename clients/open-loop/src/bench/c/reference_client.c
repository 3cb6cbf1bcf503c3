// reference_client HOST PORT CONNECTIONS RATE WARM_UP_S STEADY_S SEED [stamps]
//
// The least that the open-loop client's work costs in C: what the Java client is held against, side by side. One
// thread, one epoll instance, edge-triggered; the same bytes, the same random-phase schedule from the same seed, every
// echoed byte verified, every errno looked at, stamps before write() and after read(), two histograms of three digits
// (response time from the intended send, service time from the actual one). Messages of 64 bytes, one in flight. With "stamps" it
// reads by recvmsg() with the kernel's stamp of arrival, and keeps server time and receive delay too.
//
// Prints one JSON line, then keeps its connections until standard input ends: closing thousands keeps a host busy, which
// the client measured beside it must not meet. Exit status: 0 all answered and right, 1 not, 2 usage, 3 could not run.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE = 64, WINDOW = 1024, BURST = 64, EVENTS = 512, PORTS_PER_SOURCE = 14000, HALF = 1024 };
static const int64_t IDLE_NS = 10000000, DRAIN_NS = 5000000000, RAMP_NS = 30000000000;
static const uint64_t GOLDEN = 0x9E3779B97F4A7C15;

struct connection {
  int fd;
  uint32_t sequence; // of the oldest message not answered
  uint16_t got;      // bytes of its echo
  uint8_t verified, busy;
  uint32_t owed;     // messages that wait behind it, one period apart
  int64_t intended, sent, freed;
};

// As HdrHistogram lays its counts out: linear in steps of 2^k within each power of two, 1,024 steps each.
struct histogram {
  uint64_t counts[33 * HALF], total;
  int64_t most;
};

static struct connection *connections;
static uint64_t *by_phase; // phase of 40 bits above the connection's number of 23, sorted
static struct histogram response, service, lateness, server, delay;
static int64_t offset_low, offset_high; // of the realtime to the monotonic clock
static int stamps;
static int epoll, count, position = -1;
static int64_t cycle, schedule_start, steady_start = INT64_MAX, steady_end = INT64_MAX, due = INT64_MAX;
static double period;
static long scheduled, answered, answered_ever, mismatches, established, pending, lost;

static int64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}
static int64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

static void fail(const char *what) {
  fprintf(stderr, "reference_client: %s: %s\n", what, strerror(errno));
  exit(3);
}

static uint64_t finish(uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}
static uint64_t mix(uint64_t seed, uint64_t number) { return finish(finish(seed + GOLDEN) + number * GOLDEN); }

static void record(struct histogram *h, int64_t ns) {
  uint64_t v = ns < 0 ? 0 : ns;
  int bucket = 64 - __builtin_clzll(v | (2 * HALF - 1)) - 11;
  h->counts[bucket * HALF + (v >> bucket)]++;
  h->total++;
  if (ns > h->most) h->most = ns;
}

static int64_t quantile(struct histogram *h, double q) {
  uint64_t wanted = q * h->total + 0.5, seen = 0;
  for (int i = 0; i < 33 * HALF; i++)
    if ((seen += h->counts[i]) >= wanted && seen) {
      int bucket = i < 2 * HALF ? 0 : i / HALF - 1;
      return ((int64_t)(i - bucket * HALF + 1) << bucket) - 1;
    }
  return h->most;
}

// As the Java client does: what all looks since a step have in common.
static void look(void) {
  int64_t before = now_ns(), wall = clock_ns(CLOCK_REALTIME), low = wall - now_ns(), high = wall - before;
  if (!offset_high || low > offset_high || high < offset_low) offset_low = low, offset_high = high;
  if (low > offset_low) offset_low = low;
  if (high < offset_high) offset_high = high;
}

static void advance(void) {
  if (++position == count) position = 0, cycle++;
  due = schedule_start + (int64_t)((cycle + (by_phase[position] >> 23) * 0x1p-40) * period);
  if (due >= steady_end) due = INT64_MAX;
}

static int steady(int64_t intended) { return intended >= steady_start && intended < steady_end; }

static void drop(int c, const char *call) {
  if (lost++ == 0) fprintf(stderr, "reference_client: connection %d: %s: %s\n", c, call, errno ? strerror(errno) : "FIN");
  if (!connections[c].verified) pending--;
  close(connections[c].fd);
  connections[c].fd = -1;
}

static void transmit(int c) {
  struct connection *x = &connections[c];
  uint64_t message[MESSAGE / 8], key = mix(c, x->sequence);
  for (int i = 0; i < MESSAGE / 8; i++) message[i] = key + i * GOLDEN;
  x->busy = 1;
  int64_t before = now_ns();
  ssize_t n = write(x->fd, message, MESSAGE);
  // An idle socket's buffer has room for one small message; anything else is a failure.
  if (n != MESSAGE) {
    if (n >= 0) errno = EAGAIN;
    drop(c, "write");
    return;
  }
  x->sent = before;
}

static int64_t send_due(int64_t now, int burst) {
  for (; burst > 0 && due <= now; burst--) {
    int c = by_phase[position] & 0x7fffff;
    int64_t intended = due;
    advance();
    if (steady(intended)) scheduled++;
    struct connection *x = &connections[c];
    if (x->fd < 0) continue;
    if (x->busy) {
      x->owed++;
      continue;
    }
    x->intended = intended;
    x->freed = 0;
    transmit(c);
    if (steady(intended) && x->fd >= 0) record(&lateness, x->sent - intended);
    now = now_ns();
  }
  return now;
}

static void complete(int c, int64_t now, int64_t arrived) {
  struct connection *x = &connections[c];
  x->busy = 0;
  x->sequence++;
  x->got = 0;
  answered_ever++;
  if (!x->verified) {
    x->verified = 1;
    established++;
    pending--;
  } else if (steady(x->intended)) {
    answered++;
    record(&response, now - x->intended);
    record(&service, now - x->sent);
    if (stamps) {
      if (arrived < x->sent || arrived > now) arrived = arrived < x->sent ? x->sent : now;
      int64_t might_go = x->freed > x->intended ? x->freed : x->intended;
      record(&server, might_go - x->intended + arrived - x->sent);
      record(&delay, now - arrived);
    }
  }
  if (x->owed) {
    x->owed--;
    x->intended += (int64_t)period;
    x->freed = arrived;
    transmit(c);
  }
}

static ssize_t stamped_read(int fd, void *in, size_t bytes, int64_t *arrived) {
  static char control[256];
  struct iovec io = {in, bytes};
  struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t n = recvmsg(fd, &m, 0);
  struct cmsghdr *h = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
  if (h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_TIMESTAMPING) {
    struct timespec t = ((struct scm_timestamping *)CMSG_DATA(h))->ts[0];
    *arrived = t.tv_sec * 1000000000LL + t.tv_nsec - offset_low - (offset_high - offset_low) / 2;
  }
  return n;
}

static void receive(int c, uint32_t events) {
  static unsigned char in[65536];
  struct connection *x = &connections[c];
  ssize_t n;
  do {
    int64_t arrived = 0;
    n = stamps ? stamped_read(x->fd, in, sizeof in, &arrived) : read(x->fd, in, sizeof in);
    int64_t now = now_ns();
    if (!arrived) arrived = now;
    if (n > 0) {
      uint64_t key = mix(c, x->sequence);
      ssize_t at = 0;
      if (x->got == 0 && n == MESSAGE) {
        for (; at < MESSAGE; at += 8) {
          uint64_t word;
          memcpy(&word, in + at, 8);
          mismatches += word != key + at / 8 * GOLDEN;
        }
        x->got = MESSAGE;
      }
      for (; at < n && x->got < MESSAGE; at++, x->got++)
        mismatches += in[at] != (unsigned char)((key + x->got / 8 * GOLDEN) >> (x->got % 8 * 8));
      if (at < n || !x->busy) mismatches++;
      else if (x->got == MESSAGE) complete(c, now, arrived);
    } else if (n == 0 || errno != EAGAIN) {
      if (n == 0) errno = 0;
      drop(c, "read");
    }
  } while (n > 0 && x->fd >= 0 && (n == sizeof in || events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)));
}

static void open_one(int c, struct sockaddr_in *to, int several) {
  int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("socket");
  if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) fail("setsockopt TCP_NODELAY");
  int ask = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  if (stamps && setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &ask, sizeof ask)) fail("setsockopt SO_TIMESTAMPING");
  if (several) {
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002u + c % several)};
    if (setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one)) fail("setsockopt IP_BIND_ADDRESS_NO_PORT");
    if (bind(fd, (void *)&from, sizeof from)) fail("bind");
  }
  if (connect(fd, (void *)to, sizeof *to) && errno != EINPROGRESS) fail("connect");
  connections[c].fd = fd;
  pending++;
  transmit(c); // On loopback the handshake is over by now.
  struct epoll_event e = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.u32 = c};
  if (connections[c].fd >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e)) fail("epoll_ctl");
}

static void wait_and_receive(int64_t timeout) {
  static struct epoll_event events[EVENTS];
  struct timespec t = {0, timeout < 0 ? 0 : timeout > IDLE_NS ? IDLE_NS : timeout};
  int n = epoll_pwait2(epoll, events, EVENTS, &t, NULL);
  if (n < 0 && errno != EINTR) fail("epoll_pwait2");
  if (stamps && n > 0) look();
  for (int i = 0; i < n; i++) {
    if (connections[events[i].data.u32].fd < 0) continue;
    receive(events[i].data.u32, events[i].events);
    send_due(now_ns(), 1);
  }
}

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static long rss_bytes(void) {
  long size = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%ld %ld", &size, &resident) != 2) fail("/proc/self/statm");
  fclose(f);
  return resident * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv) {
  stamps = argc == 9 && !strcmp(argv[8], "stamps");
  if (argc != 8 && !stamps) {
    fprintf(stderr, "usage: reference_client HOST PORT CONNECTIONS RATE WARM_UP_S STEADY_S SEED [stamps]\n");
    return 2;
  }
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
  double rate = atof(argv[4]), warm_up = atof(argv[5]), length = atof(argv[6]);
  count = atoi(argv[3]);
  if (!inet_aton(argv[1], &to.sin_addr) || count < 1 || count >= 1 << 23 || rate <= 0 || length <= 0) return 2;
  prctl(PR_SET_TIMERSLACK, 1);
  period = count / rate * 1e9;
  connections = calloc(count, sizeof *connections);
  by_phase = malloc(count * sizeof *by_phase);
  if ((epoll = epoll_create1(EPOLL_CLOEXEC)) < 0) fail("epoll_create1");
  for (int c = 0; c < count; c++) by_phase[c] = mix(strtoull(argv[7], NULL, 10), c) >> 24 << 23 | c;
  qsort(by_phase, count, sizeof *by_phase, ascending);

  int several = count > PORTS_PER_SOURCE ? (count + PORTS_PER_SOURCE - 1) / PORTS_PER_SOURCE : 0;
  int64_t began = now_ns();
  for (int next = 0; next < count || pending > 0;) {
    for (int i = 0; i < BURST && next < count && pending < WINDOW; i++) open_one(next++, &to, several);
    wait_and_receive(next < count && pending < WINDOW ? 0 : IDLE_NS);
    if (now_ns() - began > RAMP_NS) break;
  }
  double ramp = (now_ns() - began) / 1e9;

  schedule_start = now_ns();
  steady_start = schedule_start + (int64_t)(warm_up * 1e9);
  steady_end = steady_start + (int64_t)(length * 1e9);
  advance();
  int64_t cpu_from = 0, cpu_to = 0, now;
  long echoes_from = 0, echoes_to = 0, rss = 0;
  while ((now = now_ns()) < steady_end + DRAIN_NS && (now < steady_end || answered < scheduled)) {
    if (!cpu_from && now >= steady_start) cpu_from = clock_ns(CLOCK_PROCESS_CPUTIME_ID), echoes_from = answered_ever;
    if (!cpu_to && now >= steady_end) {
      cpu_to = clock_ns(CLOCK_PROCESS_CPUTIME_ID), echoes_to = answered_ever;
      rss = rss_bytes();
    }
    now = send_due(now, BURST);
    wait_and_receive(due - now);
  }
  if (!cpu_to) cpu_to = clock_ns(CLOCK_PROCESS_CPUTIME_ID), echoes_to = answered_ever, rss = rss_bytes();
  long echoes = echoes_to - echoes_from;
  printf("{\"connections_established\":%ld,\"connects_per_s\":%.0f,\"scheduled\":%ld,\"answered\":%ld,"
         "\"echo_mismatches\":%ld,\"lost\":%ld,\"client_cpu_us_per_echo\":%.3f,\"client_rss_bytes\":%ld,"
         "\"response_time_p50_ns\":%ld,\"response_time_p99_ns\":%ld,\"response_time_max_ns\":%ld,"
         "\"service_time_p50_ns\":%ld,\"service_time_p99_ns\":%ld,"
         "\"send_lateness_p50_ns\":%ld,\"send_lateness_p99_ns\":%ld,\"server_time_p50_ns\":%ld,\"server_time_p99_ns\":%ld,"
         "\"receive_delay_p50_ns\":%ld,\"receive_delay_p99_ns\":%ld}\n",
         established, established / ramp, scheduled, answered, mismatches, lost,
         echoes ? (cpu_to - cpu_from) / 1e3 / echoes : 0, rss, (long)quantile(&response, 0.5),
         (long)quantile(&response, 0.99), (long)response.most, (long)quantile(&service, 0.5),
         (long)quantile(&service, 0.99), (long)quantile(&lateness, 0.5), (long)quantile(&lateness, 0.99),
         (long)quantile(&server, 0.5), (long)quantile(&server, 0.99), (long)quantile(&delay, 0.5), (long)quantile(&delay, 0.99));
  fflush(stdout);
  while (getchar() != EOF) {}
  return answered == scheduled && established == count && !mismatches && !lost ? 0 : 1;
}
