package echoladder.needs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a test, or each of a class, needs of its machine; where one of them is missing it is skipped and listed. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(NeedsCondition.class)
public @interface Needs {
  Need[] value();

  /** Whether invocations need more, and say so by {@link Lacks#skip}. */
  boolean more() default false;
}
