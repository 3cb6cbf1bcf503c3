/** REPORT.md and report.html: templates, filled with the text, the tables and the plots of a run. */
@NullMarked
package echoladder.harness.report.page;

import org.jspecify.annotations.NullMarked;
