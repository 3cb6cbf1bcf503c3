package echoladder.harness.engine;

import echoladder.harness.lab.LabMark;
import echoladder.harness.plan.Plan;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.Display;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RunHead;
import java.util.Locale;

/** Tells the user of a run what cannot be had, what is measured now, and what each rung brought. */
final class Telling {
  private final Plan plan;
  private final RunContext context;
  private final Display display;
  private final RungSentence said;

  Telling(Plan plan, RunHead head, RunContext context) {
    this.plan = plan;
    this.context = context;
    this.display = context.display();
    this.said = new RungSentence(context.setup().study().repeats(), LabMark.in(head.environment()));
  }

  /** The run begins. */
  void begins() {
    plan.outOfReach().forEach(this::note);
    context.setup().smallBuffers().forEach(this::note);
    if (context.setup().crowded(plan)) {
      note("no core is left for the ladder and the client's other threads: they share those of server and client");
    }
  }

  /** A step begins. */
  void begins(Step step) {
    display.rung(step.place().number(), plan.size(), step.place().left());
    if (!step.before().isEmpty()) {
      note(
          "%s is measured again, as the host was disturbed (try %d of at most %d)"
              .formatted(said.name(step.before().getLast()), step.number(), Attempt.MOST));
    }
  }

  /** A rung is over. */
  void over(RungRecord record) {
    display.over(record, said.of(record));
  }

  /** A further try is over that was not valid. */
  void overBeside(RungRecord record) {
    display.over(record, said.of(record) + "; the valid try before it stays the rung's record");
  }

  /** A try of a search is over, which {@code run} has already. */
  void over(RungRecord record, RunRecord run) {
    display.over(
        record,
        run.search(record.server(), record.connections()).map(row -> said.of(record, row)).orElseGet(() -> said.of(record)));
  }

  /** An extra repeat is over. */
  void over(ProfileRecord record) {
    String what =
        record.watched() == null
            ? String.valueOf(record.problem())
            : String.format(Locale.ROOT, "watched for %.1f s; its figures are not quoted", record.watched().seconds());
    display.over(
        record.rung(),
        "%s  %s, profile %s: %s".formatted(record.rung().server(), record.rung().key().load(), record.kind().id(), what));
  }

  void note(String text) {
    display.note(text);
  }

  /** The run is over. */
  void ends() {
    display.end();
  }
}
