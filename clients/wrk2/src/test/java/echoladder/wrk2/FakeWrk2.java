package echoladder.wrk2;


import echoladder.external.SearchPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A script in the place of wrk2: it opens real connections and holds them, and then prints what it is told to. */
final class FakeWrk2 {
  static final String USAGE_OF_WRK2 = "    -R, --rate        <T>  work rate (throughput)";

  /** The report of 500 requests per second since the calibration, in a run that ends after 12 s. */
  static final String REPORT =
      """
      Running 12s test @ http://127.0.0.1/
        2 threads and 40 connections
        Thread calibration: mean lat.: 1.234ms, rate sampling interval: 10ms
        Thread calibration: mean lat.: 1.345ms, rate sampling interval: 10ms
        Latency Distribution (HdrHistogram - Recorded Latency)
       50.000%    1.00ms

        Detailed Percentile spectrum:
             Value   Percentile   TotalCount 1/(1-Percentile)

             0.069     0.000000            1         1.00
             1.001     0.500000          476         2.00
             1.410     0.900000          856        10.00
             4.912     1.000000          950          inf
      #[Mean    =        1.000, StdDeviation   =        0.562]
      #[Max     =        4.912, Total count    =          950]
      ----------------------------------------------------------
        Latency Distribution (HdrHistogram - Uncorrected Latency (measured without taking delayed starts into account))
       50.000%  117.00us
       90.000%  520.00us
      #[Mean    =        0.200, StdDeviation   =        0.100]
      #[Max     =        2.048, Total count    =          950]
      ----------------------------------------------------------
        5994 requests in 12.00s, 643.83KB read
      Requests/sec:    499.40
      {"requests":5994,"duration_us":12000000,"bytes":1,"mismatches":@WRONG@,"errors":{"connect":0,"read":0,"write":0,\
      "status":0,"timeout":0},"lat_us":{"count":950,"min":69,"mean":1000.0,"max":4912,"p50":1001,"p90":1410,"p99":2020,\
      "p99.9":4000,"p99.99":4900}}
      """;

  private static final String SCRIPT =
      """
      #!/bin/bash
      if [ "$1" = -v ]; then echo "wrk 4.0.0 [epoll]"; echo "@USAGE@"; exit 1; fi
      while [ $# -gt 1 ]; do
        case "$1" in
          --connections) connections=$2; shift;;
          --duration) duration=${2%s}; shift;;
          --script) script=$2; shift;;
        esac
        shift
      done
      target=${1#http://}
      target=${target%/echo}
      @FIRST@
      grep -q 'string.rep("e", 64)' $script || exit 9
      for ((i = 0; i < connections; i++)); do
        exec {socket}<>/dev/tcp/${target%:*}/${target#*:}
      done
      report() {
        cat <<'END'
      @REPORT@END
        exit 0
      }
      trap report INT
      for ((i = 0; i < 4 * duration; i++)); do sleep 0.25; done
      report
      """;

  private FakeWrk2() {}

  /**
   * Puts it on a path of its own.
   *
   * @param name of the file
   * @param usage that it prints
   * @param first what it does before it connects
   * @param wrong answers that its script found to be wrong
   */
  static SearchPath on(Path folder, String name, String usage, String first, int wrong) throws IOException {
    Path program = folder.resolve(name);
    Files.writeString(
        program,
        SCRIPT
            .replace("@USAGE@", usage)
            .replace("@FIRST@", first)
            .replace("@REPORT@", REPORT.replace("@WRONG@", Integer.toString(wrong))));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("r-x------"));
    return new SearchPath(folder.toString());
  }
}
