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

/** docs/run.schema.json, as the build has it. */
public final class RunSchema {
  private RunSchema() {}

  /** What the schema has against a run.json. */
  public static List<String> complaints(String json) {
    try (InputStream in = RunSchema.class.getResourceAsStream("/echoladder/harness/schema/run.schema.json")) {
      Schema schema =
          SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(Objects.requireNonNull(in));
      return schema.validate(json, InputFormat.JSON).stream().map(Error::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
