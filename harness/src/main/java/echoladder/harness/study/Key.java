package echoladder.harness.study;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The key of a record's component in study.yaml, where it is not the component's own name in snake_case without its unit. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Key {
  /** Dotted, e.g. {@code rate.total}. */
  String value();
}
