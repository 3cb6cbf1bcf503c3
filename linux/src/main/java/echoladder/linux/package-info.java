/** Linux from Java, once: epoll and sockets by the foreign function API, rlimits, /proc, CPU clocks. */
@NullMarked
package echoladder.linux;

import org.jspecify.annotations.NullMarked;
