package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.Row.Answer;
import echoladder.harness.doctor.Row;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the doctor said before a run, of one server at the study's highest rung, or of a client host and its part of that; part of
 * environment.json.
 *
 * @param host the client host's name in the inventory; null = what is said is of a server
 * @param server its label; empty of a client host
 * @param connections asked about
 * @param role what of them is on this host
 * @param reach whether they can be held
 * @param connectionsNow that all limits allow as they are; Long.MAX_VALUE = any number
 * @param answer in words
 * @param rows the limits that fall short, may hurt or are not known; the others are in order or not in force
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record DoctorRecord(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String host,
    String server,
    long connections,
    Role role,
    Examination.Reach reach,
    long connectionsNow,
    List<String> answer,
    List<Row> rows) {

  /** What was said of each server, in the order of the map. */
  public static List<DoctorRecord> of(Map<String, Examination> byLabel) {
    return byLabel.entrySet().stream().map(e -> of(null, e.getKey(), e.getValue())).toList();
  }

  /** What was said of each client host by its name, in the order of the map. */
  public static List<DoctorRecord> ofHosts(Map<String, Examination> byHost) {
    return byHost.entrySet().stream().map(e -> of(e.getKey(), "", e.getValue())).toList();
  }

  private static DoctorRecord of(@Nullable String host, String server, Examination found) {
    return new DoctorRecord(
        host,
        server,
        found.question().connections(),
        found.question().role(),
        found.reach(),
        found.connectionsNow(),
        found.answer(),
        found.rows().stream()
            .filter(row -> row.answer() != Answer.OK && row.answer() != Answer.NOT_HERE)
            .toList());
  }
}
