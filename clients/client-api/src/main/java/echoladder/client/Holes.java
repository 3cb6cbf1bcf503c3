package echoladder.client;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is missing of a record that came as JSON. Jackson leaves null where the text has nothing; whoever reads such a record would
 * find out later, and not say whose it was. Records, and records in lists and maps, are looked into.
 */
public final class Holes {
  private Holes() {}

  /** The first part that is null and not declared {@link Nullable}, e.g. {@code orders[].server}; null where all is there. */
  public static @Nullable String first(Record record) {
    for (RecordComponent part : record.getClass().getRecordComponents()) {
      String hole = in(part.getAnnotatedType(), part.getName(), value(record, part));
      if (hole != null) {
        return hole;
      }
    }
    return null;
  }

  private static @Nullable String in(AnnotatedType declared, String name, @Nullable Object value) {
    return switch (value) {
      case null -> declared.isAnnotationPresent(Nullable.class) ? null : name;
      case Record record -> {
        String hole = first(record);
        yield hole == null ? null : name + "." + hole;
      }
      case Collection<?> all -> among(all, argument(declared, 0), name);
      case Map<?, ?> map -> among(map.values(), argument(declared, 1), name);
      default -> null;
    };
  }

  private static @Nullable String among(Collection<?> values, AnnotatedType declared, String name) {
    for (@Nullable Object value : values) {
      String hole = in(declared, name + "[]", value);
      if (hole != null) {
        return hole;
      }
    }
    return null;
  }

  private static AnnotatedType argument(AnnotatedType of, int number) {
    return of instanceof AnnotatedParameterizedType known ? known.getAnnotatedActualTypeArguments()[number] : of;
  }

  private static @Nullable Object value(Record record, RecordComponent part) {
    try {
      part.getAccessor().setAccessible(true);
      return part.getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("the accessor of a record's component cannot be called: " + part, e);
    }
  }
}
