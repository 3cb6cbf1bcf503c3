// The command line.
#include "epoll-c.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "Usage: " NAME " [OPTIONS]\n"
    "TCP echo on one epoll loop.\n"
    "  --host ADDRESS        IPv4 address to listen on; default 127.0.0.1; " ALL_OF_LOOPBACK " = all of loopback\n"
    "  --port PORT           0 to 65535; 0 = any free one\n"
    "  --backlog N           1 to 1048576; default 4096\n"
    "  --metrics-port PORT   of /metrics, 0 to 65535; 0 = any free one\n"
    "  --drain TIME          what is in flight may take this long after a stop: 500ms, 5s, 1m, up to 1h; default 5s\n"
    "  --buffer-bytes N      most of one read, 1 to 16777216; default 65536\n"
    "  --stop-on-stdin-eof   stop when stdin ends\n"
    "Example:\n"
    "  " NAME " --port 9000 --metrics-port 9100 --drain 5s\n";

static void bad(const char *option, const char *value, const char *allowed) {
  fprintf(stderr, NAME ": %s %s is not allowed; %s. Try '" NAME " --help'.\n", option, value, allowed);
  exit(BAD_USAGE);
}

static long number(const char *option, const char *value, long least, long most) {
  char *end;
  long n = strtol(value, &end, 10);
  if (end == value || *end != '\0' || n < least || n > most) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a whole number from %ld to %ld", least, most);
    bad(option, value, allowed);
  }
  return n;
}

static long duration_ms(const char *option, const char *value) {
  static const struct { const char *name; long ms; } UNITS[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
  char *end;
  long n = strtol(value, &end, 10);
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) {
    if (end != value && n >= 0 && n <= 3600000 / UNITS[i].ms && strcmp(end, UNITS[i].name) == 0) {
      return n * UNITS[i].ms;
    }
  }
  bad(option, value, "a time up to 1h: 500ms, 5s, 1m");
  return 0;
}

struct options read_options(int count, char **arguments) {
  struct options o = {.host = "127.0.0.1", .backlog = 4096, .drain_ms = 5000, .buffer_bytes = 65536};
  for (int i = 1; i < count; i++) {
    const char *option = arguments[i];
    if (strcmp(option, "--help") == 0) {
      fputs(HELP, stdout);
      exit(STOPPED_AS_ASKED);
    }
    if (strcmp(option, "--stop-on-stdin-eof") == 0) {
      o.stop_on_stdin_eof = 1;
      continue;
    }
    const char *value = i + 1 < count ? arguments[++i] : "";
    struct in_addr address;
    if (strcmp(option, "--host") == 0) {
      if (strcmp(value, ALL_OF_LOOPBACK) != 0 && inet_pton(AF_INET, value, &address) != 1) {
        bad(option, value, "an IPv4 address, e.g. 127.0.0.1, or " ALL_OF_LOOPBACK);
      }
      o.host = value;
    } else if (strcmp(option, "--port") == 0) {
      o.port = number(option, value, 0, 65535);
    } else if (strcmp(option, "--metrics-port") == 0) {
      o.metrics_port = number(option, value, 0, 65535);
    } else if (strcmp(option, "--backlog") == 0) {
      o.backlog = number(option, value, 1, 1 << 20);
    } else if (strcmp(option, "--drain") == 0) {
      o.drain_ms = duration_ms(option, value);
    } else if (strcmp(option, "--buffer-bytes") == 0) {
      o.buffer_bytes = number(option, value, 1, 16 << 20);
    } else {
      bad(option, value, "there is no such option");
    }
  }
  return o;
}

void write_duration(char *out, size_t size, long ms) {
  if (ms > 0 && ms % 60000 == 0) {
    snprintf(out, size, "%ldm", ms / 60000);
  } else if (ms > 0 && ms % 1000 == 0) {
    snprintf(out, size, "%lds", ms / 1000);
  } else {
    snprintf(out, size, "%ldms", ms);
  }
}
