/** What every part needs: the checkout, text files of the kernel, quantities, and how a user is refused. */
@NullMarked
package echoladder.harness.common;

import org.jspecify.annotations.NullMarked;
