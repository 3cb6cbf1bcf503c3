package echoladder.harness.study;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a record of a part of a study. A component is the key of its name in snake_case without its unit, or the one that
 * {@link Key} names: {@code warmUpMinNs} is {@code warm_up_min}. The part has been through {@link StudyKeys}, so what it
 * lacks nobody has said: a list or map is empty then, anything else null.
 */
final class RecordReader {
  private static final JsonMapper ENUMS =
      JsonMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS).build();

  private RecordReader() {}

  static <R extends Record> R read(Class<R> type, JsonNode part) {
    return read(type, part, Map.of());
  }

  /**
   * Makes a record of which some components are given: what follows from several keys, or from none.
   *
   * @param given by the component's name
   * @throws IllegalStateException where the schema allows to leave out what the record must have
   */
  static <R extends Record> R read(Class<R> type, JsonNode part, Map<String, Object> given) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] arguments = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String name = components[i].getName();
      arguments[i] = given.containsKey(name) ? given.get(name) : value(type, components[i], part);
    }
    try {
      Constructor<R> constructor =
          type.getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no " + type.getSimpleName() + " can be made of " + part, e);
    }
  }

  private static @Nullable Object value(Class<?> type, RecordComponent component, JsonNode part) {
    String key = key(component);
    JsonNode node = part.at("/" + key.replace('.', '/'));
    if (!node.isMissingNode()) {
      return of(component.getGenericType(), node);
    }
    if (component.getType().isPrimitive()) {
      throw new IllegalStateException(
          "study.schema.json requires no '%s' and has no default for it, and %s must have one".formatted(key, type.getSimpleName()));
    }
    return component.getType() == List.class ? List.of() : component.getType() == Map.class ? Map.of() : null;
  }

  /** The key of a component. */
  static String key(RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    return key != null
        ? key.value()
        : component.getName().replaceFirst("(Ns|Bytes|PerS)$", "").replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static Object of(Type type, JsonNode node) {
    if (type instanceof ParameterizedType of) {
      Type[] parts = of.getActualTypeArguments();
      return of.getRawType() == List.class ? list(parts[0], node) : map(parts[1], node);
    }
    Class<?> plain = (Class<?>) type;
    if (plain == int.class || plain == Integer.class) {
      return node.asInt();
    } else if (plain == long.class || plain == Long.class) {
      return node.asLong();
    } else if (plain == double.class || plain == Double.class) {
      return node.asDouble();
    } else if (plain == boolean.class || plain == Boolean.class) {
      return node.asBoolean();
    } else if (plain == String.class) {
      return node.asString();
    }
    return plain.isRecord() ? read(plain.asSubclass(Record.class), node) : ENUMS.treeToValue(node, plain);
  }

  private static List<Object> list(Type of, JsonNode node) {
    List<Object> list = new ArrayList<>();
    node.forEach(item -> list.add(of(of, item)));
    return list;
  }

  private static Map<String, Object> map(Type of, JsonNode node) {
    Map<String, Object> map = new LinkedHashMap<>();
    node.properties().forEach(entry -> map.put(entry.getKey(), of(of, entry.getValue())));
    return map;
  }
}
