/** Sockets by system calls, epoll and sock_diag, with what they need: addresses, ports, time stamps, network namespaces. */
@NullMarked
package echoladder.linux.sockets;

import org.jspecify.annotations.NullMarked;
