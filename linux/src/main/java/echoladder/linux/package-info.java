/** Linux from Java, once. Here is what its rooms stand on: calls to glibc, error numbers, /proc/sys, control groups, folders. */
@NullMarked
package echoladder.linux;

import org.jspecify.annotations.NullMarked;
