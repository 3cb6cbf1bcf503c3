/**
 * What drives a load tool of others: finding it, running it, passing through its phases, and counting for ourselves
 * what it did, as its own word is what is judged.
 */
@NullMarked
package echoladder.external;

import org.jspecify.annotations.NullMarked;
