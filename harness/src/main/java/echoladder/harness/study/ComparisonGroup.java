package echoladder.harness.study;

/**
 * A load, wherever it runs, and what is set.
 *
 * @param load with {@link Cpus#SHARED} in place of its processors, as a study may ask what these change
 */
public record ComparisonGroup(StudyLoad load, EntrySettings settings) {}
