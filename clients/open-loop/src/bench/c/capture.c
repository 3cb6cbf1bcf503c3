// capture PORT COUNT
//
// What another view of the kernel says of the answers of a server: a packet socket on lo, whose stamps of *outgoing* packets are
// taken as they are handed to the device, before the one that their receiver is told. Messages begin with their number, 8 bytes in
// the host's order. Prints "ready", then, once COUNT packets with a payload left PORT, a line "NUMBER NANOSECONDS" (realtime) for each.
// Exit status: 0 all seen, 1 fewer within 60 s, 2 usage, 3 could not run, 4 not allowed (it takes CAP_NET_RAW).
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static int failed(const char *what) {
  int refused = errno == EPERM || errno == EACCES;
  perror(what);
  return refused ? 4 : 3;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: capture PORT COUNT\n");
    return 2;
  }
  int port = atoi(argv[1]), count = atoi(argv[2]), one = 1, room = 64 << 20, seen = 0;
  int fd = socket(AF_PACKET, SOCK_RAW, 0);
  if (fd < 0) return failed("socket AF_PACKET");
  // TCP over IPv4 from that port.
  struct sock_filter code[] = {
      {0x28, 0, 0, 12}, {0x15, 0, 6, 0x800}, {0x30, 0, 0, 23},   {0x15, 0, 4, 6},        {0xb1, 0, 0, 14},
      {0x48, 0, 0, 14}, {0x15, 0, 1, port},  {0x06, 0, 0, 4096}, {0x06, 0, 0, 0},
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  struct sockaddr_ll lo = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = if_nametoindex("lo")};
  struct timeval most = {60, 0};
  if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter)) return failed("SO_ATTACH_FILTER");
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room)) return failed("SO_RCVBUFFORCE");
  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one)) return failed("SO_TIMESTAMPNS");
  if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most)) return failed("SO_RCVTIMEO");
  if (bind(fd, (void *)&lo, sizeof lo)) return failed("bind");
  uint64_t *numbers = calloc(count, sizeof *numbers);
  int64_t *stamps = calloc(count, sizeof *stamps);
  puts("ready");
  fflush(stdout);
  while (seen < count) {
    unsigned char packet[4096], control[256];
    struct sockaddr_ll from = {0};
    struct iovec io = {packet, sizeof packet};
    struct msghdr m = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &io, .msg_iovlen = 1, .msg_control = control,
                       .msg_controllen = sizeof control};
    ssize_t n = recvmsg(fd, &m, 0);
    if (n < 0) {
      perror("recvmsg");
      break;
    }
    if (from.sll_pkttype != PACKET_OUTGOING || n < 54) continue;
    int payload = 14 + (packet[14] & 15) * 4;
    payload += (packet[payload + 12] >> 4) * 4;
    if (n < payload + 8) continue;
    for (struct cmsghdr *h = CMSG_FIRSTHDR(&m); h; h = CMSG_NXTHDR(&m, h))
      if (h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec t;
        memcpy(&t, CMSG_DATA(h), sizeof t);
        memcpy(&numbers[seen], packet + payload, 8);
        stamps[seen++] = t.tv_sec * 1000000000LL + t.tv_nsec;
      }
  }
  for (int i = 0; i < seen; i++) printf("%llu %lld\n", (unsigned long long)numbers[i], (long long)stamps[i]);
  return seen == count ? 0 : 1;
}
