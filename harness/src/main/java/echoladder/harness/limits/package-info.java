/** The limits that a climb can meet: one row per limit that everything else reads. */
@NullMarked
package echoladder.harness.limits;

import org.jspecify.annotations.NullMarked;
