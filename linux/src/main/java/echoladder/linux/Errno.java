package echoladder.linux;

import java.util.Map;

/** Error numbers of Linux; the same on x86-64 and aarch64 (asm-generic/errno.h). */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOSPC = 28;
  public static final int EPIPE = 32;
  public static final int ENOSYS = 38;
  public static final int EBADMSG = 74;
  public static final int EMSGSIZE = 90;
  public static final int ENOPROTOOPT = 92;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETDOWN = 100;
  public static final int ENETUNREACH = 101;
  public static final int ECONNABORTED = 103;
  public static final int ECONNRESET = 104;
  public static final int ENOBUFS = 105;
  public static final int ENOTCONN = 107;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTUNREACH = 113;
  public static final int EINPROGRESS = 115;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(EPERM, "EPERM"),
          Map.entry(ENOENT, "ENOENT"),
          Map.entry(ESRCH, "ESRCH"),
          Map.entry(EINTR, "EINTR"),
          Map.entry(EIO, "EIO"),
          Map.entry(EBADF, "EBADF"),
          Map.entry(EAGAIN, "EAGAIN"),
          Map.entry(ENOMEM, "ENOMEM"),
          Map.entry(EACCES, "EACCES"),
          Map.entry(EINVAL, "EINVAL"),
          Map.entry(ENFILE, "ENFILE"),
          Map.entry(EMFILE, "EMFILE"),
          Map.entry(ENOSPC, "ENOSPC"),
          Map.entry(EPIPE, "EPIPE"),
          Map.entry(ENOSYS, "ENOSYS"),
          Map.entry(EBADMSG, "EBADMSG"),
          Map.entry(EMSGSIZE, "EMSGSIZE"),
          Map.entry(ENOPROTOOPT, "ENOPROTOOPT"),
          Map.entry(EADDRINUSE, "EADDRINUSE"),
          Map.entry(EADDRNOTAVAIL, "EADDRNOTAVAIL"),
          Map.entry(ENETDOWN, "ENETDOWN"),
          Map.entry(ENETUNREACH, "ENETUNREACH"),
          Map.entry(ECONNABORTED, "ECONNABORTED"),
          Map.entry(ECONNRESET, "ECONNRESET"),
          Map.entry(ENOBUFS, "ENOBUFS"),
          Map.entry(ENOTCONN, "ENOTCONN"),
          Map.entry(ETIMEDOUT, "ETIMEDOUT"),
          Map.entry(ECONNREFUSED, "ECONNREFUSED"),
          Map.entry(EHOSTUNREACH, "EHOSTUNREACH"),
          Map.entry(EINPROGRESS, "EINPROGRESS"));

  private Errno() {}

  /** The symbolic name, or {@code errno N} for one not listed here. Takes the number or its negative. */
  public static String name(int errno) {
    int number = Math.abs(errno);
    return NAMES.getOrDefault(number, "errno " + number);
  }
}
