/** What a test or a runbook page needs of its machine: closed, in one place, and what is skipped without it is listed. */
@NullMarked
package echoladder.needs;

import org.jspecify.annotations.NullMarked;
