/** The tables of a report: what a row and a column of each is, and how a table is written for a terminal, Markdown and HTML. */
@NullMarked
package echoladder.harness.report.table;

import org.jspecify.annotations.NullMarked;
