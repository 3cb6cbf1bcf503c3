/** What a load showed, beside its counts; whoever reads this package needs no other of a load. */
@NullMarked
package echoladder.client.figures;

import org.jspecify.annotations.NullMarked;
