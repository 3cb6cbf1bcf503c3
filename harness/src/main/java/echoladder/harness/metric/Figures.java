package echoladder.harness.metric;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.util.NameTransformer;

/**
 * What the harness measured of a rung beside the client, by {@link Catalogue#probed}: null = could not be had. In JSON each
 * figure is a field of the rung; none is written where nothing was measured.
 */
@JsonSerialize(using = Figures.Writer.class)
@JsonDeserialize(using = Figures.Reader.class)
public record Figures(Map<String, Number> values) {
  /** Nothing could be had. */
  public static final Figures NONE = new Figures(Map.of());

  public Figures {
    values = Map.copyOf(values);
  }

  /** By the formula of each row. */
  public static Figures measured(RungReadings readings) {
    Figures figures = NONE;
    for (Metric row : Catalogue.probed()) {
      Function<RungReadings, @Nullable Number> formula = ((Source.Probed) row.source()).formula();
      figures = figures.with(row, formula.apply(readings));
    }
    return figures;
  }

  /** The value of a row, a Long where its unit is whole and else a Double; null where there is none. */
  public @Nullable Number get(Metric row) {
    return values.get(row.name());
  }

  /** The value of a row as a double; null where there is none. */
  public @Nullable Double value(Metric row) {
    Number value = get(row);
    return value == null ? null : (Double) value.doubleValue();
  }

  /** These figures with one more value, or without that row where the value is null. */
  public Figures with(Metric row, @Nullable Number value) {
    Map<String, Number> changed = new LinkedHashMap<>(values);
    if (value == null) {
      changed.remove(row.name());
    } else {
      changed.put(row.name(), number(row, value));
    }
    return new Figures(changed);
  }

  private static Number number(Metric row, Number value) {
    return row.unit().whole() ? (Number) value.longValue() : (Number) value.doubleValue();
  }

  /** Writes each row as a field of the record that the figures stand in. */
  static final class Writer extends ValueSerializer<Figures> {
    @Override
    public boolean isUnwrappingSerializer() {
      return true;
    }

    @Override
    public ValueSerializer<Figures> unwrappingSerializer(NameTransformer unwrapper) {
      return this;
    }

    @Override
    public void serialize(Figures figures, JsonGenerator json, SerializationContext context) {
      if (figures.values.isEmpty()) {
        return;
      }
      for (Metric row : Catalogue.probed()) {
        json.writeName(row.name());
        switch (figures.get(row)) {
          case null -> json.writeNull();
          case Long whole -> json.writeNumber(whole);
          case Number value -> json.writeNumber(value.doubleValue());
        }
      }
    }
  }

  /** Takes the rows among all fields of the record that the figures stand in. */
  static final class Reader extends ValueDeserializer<Figures> {
    @Override
    public ValueDeserializer<Figures> unwrappingDeserializer(DeserializationContext context, NameTransformer unwrapper) {
      return new Reader(); // Another one: the same would be taken for one that cannot be unwrapped.
    }

    @Override
    public Figures deserialize(JsonParser json, DeserializationContext context) {
      Map<String, Number> values = new LinkedHashMap<>();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        Metric row = Catalogue.probed(json.currentName());
        JsonToken value = json.nextToken();
        if (row != null && value.isNumeric()) {
          values.put(row.name(), number(row, json.getNumberValue()));
        } else {
          json.skipChildren();
        }
      }
      return values.isEmpty() ? NONE : new Figures(values);
    }
  }
}
