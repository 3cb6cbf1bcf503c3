/** The static site: the pages of the repository and the published results as HTML that needs no network. */
@NullMarked
package echoladder.harness.site;

import org.jspecify.annotations.NullMarked;
