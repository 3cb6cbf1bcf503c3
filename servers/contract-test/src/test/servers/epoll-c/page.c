// The metrics page: what is asked for by name[], else all.
#define _GNU_SOURCE
#include "epoll-c.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static int statm = -1;
static double started;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

int open_page(void) {
  started = seconds(CLOCK_REALTIME);
  statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  return statm;
}

static double resident_bytes(void) {
  char text[128];
  long pages = 0;
  ssize_t n = pread(statm, text, sizeof text - 1, 0);
  if (n > 0) {
    text[n] = '\0';
    sscanf(text, "%*s %ld", &pages);
  }
  return (double)pages * sysconf(_SC_PAGESIZE);
}

struct page {
  char text[6144];
  size_t length;
  const char *query; // up to a blank
};

// Whether the query names the series, or none at all.
static int asked(const char *query, const char *name) {
  static const char *const PREFIXES[] = {"name[]=", "name%5B%5D=", "name%5b%5d="};
  int any = 0;
  for (const char *part = query; *part != '\0' && *part != ' '; part += *part == '&') {
    size_t length = strcspn(part, "& ");
    for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++) {
      size_t prefix = strlen(PREFIXES[i]);
      if (length > prefix && strncmp(part, PREFIXES[i], prefix) == 0) {
        any = 1;
        if (length - prefix == strlen(name) && strncmp(part + prefix, name, length - prefix) == 0) {
          return 1;
        }
      }
    }
    part += length;
  }
  return !any;
}

// A series with its labels, {} included, or "".
static void series(struct page *page, const char *name, const char *type, const char *labels, double value) {
  if (asked(page->query, name)) {
    page->length += snprintf(page->text + page->length, sizeof page->text - page->length,
        "# TYPE %s %s\n%s%s %.17g\n", name, type, name, labels, value);
  }
}

static void figures(struct page *page, const struct counts *c) {
  char labels[96];
  snprintf(labels, sizeof labels, "{server=\"" NAME "\",pid=\"%ld\"}", (long)getpid());
  series(page, "echo_server_info", "gauge", labels, 1);
  series(page, "echo_connections_accepted_total", "counter", "", c->accepted);
  series(page, "echo_connections_open", "gauge", "", c->accepted - c->closed);
  series(page, "echo_connections_broken_total", "counter", "", c->broken);
  series(page, "echo_received_bytes_total", "counter", "", c->received_bytes);
  series(page, "echo_sent_bytes_total", "counter", "", c->sent_bytes);
  if (asked(page->query, "echo_accept_errors_total")) {
    page->length += snprintf(page->text + page->length, sizeof page->text - page->length,
        "# TYPE echo_accept_errors_total counter\n"
        "echo_accept_errors_total{reason=\"emfile\"} %lld\n"
        "echo_accept_errors_total{reason=\"enfile\"} %lld\n"
        "echo_accept_errors_total{reason=\"other\"} %lld\n",
        c->emfile, c->enfile, c->other);
  }
  series(page, "process_cpu_seconds_total", "counter", "", seconds(CLOCK_PROCESS_CPUTIME_ID));
  series(page, "process_resident_memory_bytes", "gauge", "", resident_bytes());
  series(page, "process_start_time_seconds", "gauge", "", started);
}

// The value of a header, up to its line's end; NULL where there is none.
static const char *header(const char *head, const char *name) {
  size_t length = strlen(name);
  for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
    if (strncasecmp(line + 2, name, length) == 0) {
      return line + 2 + length + strspn(line + 2 + length, " \t");
    }
  }
  return NULL;
}

static int is(const char *value, const char *text) {
  size_t length = strlen(text);
  return strncasecmp(value, text, length) == 0 && (value[length] == '\r' || value[length] == ':');
}

// Whether a browser may have sent it on behalf of a site's page, be it one whose name leads here.
static int of_a_site(const char *head, int on_loopback) {
  const char *site = header(head, "Sec-Fetch-Site:");
  const char *host = header(head, "Host:");
  unsigned part;
  int length = 0;
  int own = !on_loopback || host == NULL || is(host, "localhost") ||
      (sscanf(host, "127.%3u.%3u.%3u%n", &part, &part, &part, &length) == 3 && strchr("\r:", host[length]) != NULL);
  return header(head, "Origin:") != NULL || !own || (site != NULL && !is(site, "none") && !is(site, "same-origin"));
}

size_t answer(char *out, size_t size, const char *head, const struct counts *counts, int on_loopback) {
  static struct page page;
  const char *status = "404 Not Found";
  page.length = 0;
  page.query = "";
  if (of_a_site(head, on_loopback)) {
    status = "403 Forbidden";
    page.length = snprintf(page.text, sizeof page.text, "this page answers no other site's pages\n");
  } else if (strncmp(head, "GET /metrics", 12) == 0 && (head[12] == ' ' || head[12] == '?')) {
    status = "200 OK";
    page.query = head[12] == '?' ? head + 13 : "";
    figures(&page, counts);
  } else {
    // Nothing here is collected as garbage, so there is no /gc either.
    page.length = snprintf(page.text, sizeof page.text, "there is only GET /metrics here\n");
  }
  return snprintf(out, size,
      "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: %zu\r\n"
      "Connection: close\r\n\r\n%.*s",
      status, page.length, (int)page.length, page.text);
}
