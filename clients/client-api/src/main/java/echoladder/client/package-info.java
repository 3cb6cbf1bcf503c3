/** What a load tool is asked and what it answers: LoadPlan in, LoadResult out. */
@NullMarked
package echoladder.client;

import org.jspecify.annotations.NullMarked;
