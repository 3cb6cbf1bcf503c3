package echoladder.needs;

import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips a test that needs what is not there. */
final class NeedsCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context
        .getElement()
        .flatMap(element -> AnnotationSupport.findAnnotation(element, Needs.class))
        .map(needs -> evaluate(List.of(needs.value())))
        .orElseGet(() -> ConditionEvaluationResult.enabled("it needs nothing special"));
  }

  private static ConditionEvaluationResult evaluate(List<Need> needs) {
    String lacks = Lacks.missing(needs);
    return lacks.isEmpty() ? ConditionEvaluationResult.enabled("all is there") : ConditionEvaluationResult.disabled(lacks);
  }
}
