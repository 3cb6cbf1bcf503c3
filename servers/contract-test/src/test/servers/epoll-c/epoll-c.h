// What the parts of this server share. One thread runs all of it.
#pragma once

#include <stddef.h>
#include <stdio.h>

#define NAME "epoll-c"

// As a host: every address of loopback, and nothing that comes from another host.
#define ALL_OF_LOOPBACK "127.0.0.0/8"

enum { STOPPED_AS_ASKED = 0, BAD_USAGE = 2, COULD_NOT_RUN = 3 };

// What it was told; every value is within its range.
struct options {
  const char *host; // an IPv4 address, or ALL_OF_LOOPBACK
  long port, metrics_port; // 0 = any
  long backlog;
  long drain_ms;
  long buffer_bytes;
  int stop_on_stdin_eof;
};

// Reads the command line. Ends the process at --help, and at a bad option.
struct options read_options(int count, char **arguments);

// A duration as the ready line has it: 500ms, 5s, 1m.
void write_duration(char *out, size_t size, long ms);

// What is counted, since the start.
struct counts {
  long long accepted, closed, broken, received_bytes, sent_bytes, emfile, enfile, other;
};

// Opens what the page is read from. It must be open when no descriptor is left.
int open_page(void);

// The whole answer to a request's head; gives its length. 'size' of 8 KiB is enough. A page on loopback hears to
// loopback's names alone.
size_t answer(char *out, size_t size, const char *head, const struct counts *counts, int on_loopback);
