/** The words of a rung: its figures with their signs, its verdict and its load; and text of others made safe for Markdown and HTML. */
@NullMarked
package echoladder.harness.report.words;

import org.jspecify.annotations.NullMarked;
