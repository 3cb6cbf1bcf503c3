/** Drives tcpkali and judges what it reports. */
@NullMarked
package echoladder.tcpkali;

import org.jspecify.annotations.NullMarked;
