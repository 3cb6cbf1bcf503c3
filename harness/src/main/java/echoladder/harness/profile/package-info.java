/** What a profiler of others says of a server that it watched: how it is started, and its outputs as figures. */
@NullMarked
package echoladder.harness.profile;

import org.jspecify.annotations.NullMarked;
