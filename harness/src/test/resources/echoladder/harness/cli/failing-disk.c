/*
 * A disk that fails: preloaded into a process, it lets calls on regular files below $FAILING_DIR fail while the file
 * $FAILING_WHEN says so. That file has an errno and the names of calls, e.g. "5 write fsync".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int fails(const char *call, int fd) {
  const char *dir = getenv("FAILING_DIR");
  const char *when = getenv("FAILING_WHEN");
  struct stat is;
  if (!dir || !when || fstat(fd, &is) || !S_ISREG(is.st_mode)) {
    return 0;
  }
  int saved = errno;
  char said[64] = "";
  int file = open(when, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    ssize_t n = read(file, said, sizeof said - 1);
    said[n < 0 ? 0 : n] = 0;
    close(file);
  }
  errno = saved;
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = strstr(said, call) ? readlink(link, path, sizeof path - 1) : -1;
  if (n < 0 || strncmp(path, dir, strlen(dir))) {
    return 0;
  }
  errno = atoi(said);
  return 1;
}

ssize_t write(int fd, const void *from, size_t bytes) {
  return fails("write", fd) ? -1 : syscall(SYS_write, fd, from, bytes);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  return fails("write", fd) ? -1 : syscall(SYS_writev, fd, parts, count);
}

ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at) {
  return fails("write", fd) ? -1 : syscall(SYS_pwrite64, fd, from, bytes, at);
}

int fsync(int fd) {
  return fails("fsync", fd) ? -1 : syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
  return fails("fsync", fd) ? -1 : syscall(SYS_fdatasync, fd);
}
