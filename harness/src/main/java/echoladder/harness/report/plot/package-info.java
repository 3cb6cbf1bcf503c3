/** The plots of a report, drawn as SVG, each with a table of its values. */
@NullMarked
package echoladder.harness.report.plot;

import org.jspecify.annotations.NullMarked;
