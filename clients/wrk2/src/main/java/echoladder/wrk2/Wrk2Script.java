package echoladder.wrk2;

/** The Lua that wrk2 runs: what it sends, that it looks at what comes back, and its summary as one line of JSON. */
final class Wrk2Script {
  private static final String TEXT =
      """
      -- Made for one load by Echo Ladder.
      wrk.method = "POST"
      wrk.body = string.rep("e", @BYTES@)
      wrk.headers["Content-Type"] = "application/octet-stream"

      local threads = {}
      function setup(thread) table.insert(threads, thread) end

      mismatches = 0
      local expected = wrk.body
      function response(status, headers, body)
        if status == 200 and body ~= expected then mismatches = mismatches + 1 end
      end

      -- latency is the corrected one, of what was recorded since the calibration, in microseconds.
      function done(summary, latency, requests)
        local wrong = 0
        for _, thread in ipairs(threads) do wrong = wrong + thread:get("mismatches") end
        local e = summary.errors
        io.write(string.format(
          '{"requests":%d,"duration_us":%d,"bytes":%d,"mismatches":%d,' ..
          '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},' ..
          '"lat_us":{"count":%d,"min":%d,"mean":%.1f,"max":%d,' ..
          '"p50":%d,"p90":%d,"p99":%d,"p99.9":%d,"p99.99":%d}}\\n',
          summary.requests, summary.duration, summary.bytes, wrong,
          e.connect, e.read, e.write, e.status, e.timeout,
          #latency, latency.min, latency.mean, latency.max,
          latency:percentile(50), latency:percentile(90), latency:percentile(99),
          latency:percentile(99.9), latency:percentile(99.99)))
      end
      """;

  private Wrk2Script() {}

  /**
   * The script for a message size.
   *
   * @param messageBytes of the body, 1 or more
   */
  static String of(int messageBytes) {
    return TEXT.replace("@BYTES@", Integer.toString(messageBytes));
  }
}
