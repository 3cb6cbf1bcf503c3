package echoladder.h2load;

import echoladder.external.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A script in the place of h2load: it opens real connections and holds them, says its phases, and writes the log and report it is told to. */
final class FakeH2load {
  static final String HELP = "  --rps=<N>\n  --log-file=<PATH>\n  --warm-up-time=<DURATION>\n";

  /** What h2load reports of 500 requests in a second over 40 connections. */
  static final String REPORT =
      """

      finished in 2.41s, 500.00 req/s, 63.48KB/s
      requests: 500 total, 500 started, @DONE@ done, @DONE@ succeeded, 0 failed, 0 errored, 0 timeout
      status codes: @DONE@ 2xx, 0 3xx, 0 4xx, 0 5xx
      traffic: 61.04KB (62500) total, 29.30KB (30000) headers (space savings 0.00%), 31.25KB (32000) data
                           min         max         mean         sd        +/- sd
      time for request:      101us       600us       350us       144us    58.00%
      time for connect:        0us         0us         0us         0us     0.00%
      time to 1st byte:        0us         0us         0us         0us     0.00%
      req/s           :      12.00       13.00       12.50        0.50    50.00%
      """;

  private static final String SCRIPT =
      """
      #!/bin/bash
      if [ "$1" = --help ]; then cat <<'END'
      @HELP@END
      exit 0; fi
      while [ $# -gt 1 ]; do
        case "$1" in
          --clients) connections=$2; shift;;
          --threads) threads=$2; shift;;
          --warm-up-time) warm_up=${2%ms}; shift;;
          --duration) duration=${2%ms}; shift;;
          --data) body=$2; shift;;
          --log-file) log=$2; shift;;
        esac
        shift
      done
      target=${1#http://}
      target=${target%/echo}
      @FIRST@
      [ $(wc -c <$body) = 64 ] || exit 9
      wait_ms() { sleep $(($1 / 1000)).$(printf %03d $(($1 % 1000))); }
      for ((i = 0; i < connections; i++)); do
        exec {socket}<>/dev/tcp/${target%:*}/${target#*:}
      done
      echo 'Warm-up started for thread #0.'
      wait_ms $warm_up
      for ((i = 0; i < threads; i++)); do
        echo "Warm-up phase is over for thread #$i."
        echo "Main benchmark duration is started for thread #$i."
      done
      base=$(($(date +%s%N) / 1000 + 200000))
      for ((i = 1; i <= @DONE@; i++)); do printf '%d\\t200\\t%d\\n' $((base + 1000 * i)) $((100 + i)); done >$log
      @ROWS@
      wait_ms $duration
      @LAST@
      echo "Main benchmark duration is over for thread #0. Stopping all clients."
      echo "Stopped all clients for thread #0"
      cat <<'END'
      @REPORT@END
      """;

  private FakeH2load() {}

  /**
   * Puts it on a path of its own.
   *
   * @param first what it does before it connects
   * @param rows what it does when it has written its log
   * @param last what it does before it says that its duration is over
   * @param done requests that ended, 1 to 500
   */
  static SearchPath on(Path folder, String help, String first, String rows, String last, int done) throws IOException {
    Path program = folder.resolve("h2load");
    String text =
        SCRIPT.replace("@HELP@", help).replace("@FIRST@", first).replace("@ROWS@", rows).replace("@LAST@", last).replace("@REPORT@", REPORT)
            .replace("@DONE@", Integer.toString(done));
    Files.writeString(program, text);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("r-x------"));
    return new SearchPath(folder.toString());
  }
}
