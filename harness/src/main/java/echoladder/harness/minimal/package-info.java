/** Which of the settings that lift limits a host really needs for so many connections: found by taking them away. */
@NullMarked
package echoladder.harness.minimal;

import org.jspecify.annotations.NullMarked;
