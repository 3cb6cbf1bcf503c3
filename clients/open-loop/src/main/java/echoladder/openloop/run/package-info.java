/** One load from first connect to result: its phases, its log of intervals, its look at the server, its outcome. */
@NullMarked
package echoladder.openloop.run;

import org.jspecify.annotations.NullMarked;
