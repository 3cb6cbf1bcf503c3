package echoladder.harness.report;

import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables of users in stages: the rows of REPORT.md, their cells as HTML. */
final class HtmlStaged {
  private HtmlStaged() {}

  static Map<String, Object> of(RunRecord run) {
    Map<String, Object> map = new HashMap<>();
    StagedRows.of(run).forEach((name, rows) -> map.put(name, cells(rows)));
    return map;
  }

  /** Every "line" within, a row of Markdown, with its "cells" beside it. */
  private static Object cells(Object rows) {
    if (rows instanceof List<?> list) {
      List<Object> converted = new ArrayList<>();
      list.forEach(row -> converted.add(row == null ? "" : cells(row)));
      return converted;
    }
    if (!(rows instanceof Map<?, ?> map)) {
      return rows;
    }
    Map<String, Object> converted = new HashMap<>();
    map.forEach((name, value) -> converted.put(String.valueOf(name), value == null ? "" : cells(value)));
    if (converted.get("line") instanceof String line) {
      String[] cells = line.replaceFirst("^\\| ?", "").replaceFirst(" ?\\|$", "").split(" ?\\| ?", -1);
      converted.put("cells", Arrays.stream(cells).map(HtmlReport::inline).toList());
    }
    return converted;
  }
}
