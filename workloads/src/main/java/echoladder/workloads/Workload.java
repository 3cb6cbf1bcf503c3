package echoladder.workloads;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** One program: its options are fields for picocli, its main hands it to {@link Runner}. */
abstract class Workload {
  /** What the help of each says of the exit status, behind what 0 means. */
  static final String STATUS_1_AND_2 = "1 it ended before (ended_by and ended_detail say why), 2 bad usage,";

  /** The last line of each help. */
  static final String STATUS_3 = "3 the line on stdout could not be written.";

  @Mixin final GuardOptions guardOptions = new GuardOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Refuses options that do not go together, or are out of range, by {@link #require}. */
  abstract void check();

  /**
   * Does it, and writes its figures as it goes. An error that comes out of it is what ended it; figures written before
   * stay.
   */
  abstract void run(Guards guards, Figures figures) throws Exception;

  /** What was done so far, for a line of progress. Any thread may ask, at any time. */
  abstract String progress();

  /** A bad option where that does not hold. */
  final void require(boolean holds, String complaint) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
  }

  /** A number out of its range is a bad option. */
  final void requireWithin(String option, long value, long least, long most) {
    require(
        value >= least && value <= most, "%s %d is not allowed; %,d to %,d".formatted(option, value, least, most));
  }
}
