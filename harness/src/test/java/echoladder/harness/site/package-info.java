/** The site of the repository itself, and of small ones. */
@NullMarked
package echoladder.harness.site;

import org.jspecify.annotations.NullMarked;
