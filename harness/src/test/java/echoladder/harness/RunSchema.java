package echoladder.harness;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** docs/run.schema.json and docs/ledger.schema.json, as the build has them. */
public final class RunSchema {
  private RunSchema() {}

  /** What the schema has against a run.json. */
  public static List<String> complaints(String json) {
    return complaints("run", json);
  }

  /** What the schema has against a ledger.json. */
  public static List<String> ofLedger(String json) {
    return complaints("ledger", json);
  }

  private static List<String> complaints(String name, String json) {
    String resource = "/echoladder/harness/schema/" + name + ".schema.json";
    try (InputStream in = RunSchema.class.getResourceAsStream(resource)) {
      Schema schema =
          SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(Objects.requireNonNull(in));
      return schema.validate(json, InputFormat.JSON).stream().map(Error::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
