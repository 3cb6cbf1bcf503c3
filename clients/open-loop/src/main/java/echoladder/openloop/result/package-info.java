/** What a load leaves behind: counts, causes of failure, the times of messages and their histograms. */
@NullMarked
package echoladder.openloop.result;

import org.jspecify.annotations.NullMarked;
