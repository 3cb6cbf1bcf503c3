/**
 * Programs measured without a network, one main class each: {@code java -cp 'workloads/target/lib/*'
 * echoladder.workloads.ThreadRamp --help}. What they share is how they guard the host, and the line of JSON they end with.
 */
@NullMarked
package echoladder.workloads;

import org.jspecify.annotations.NullMarked;
