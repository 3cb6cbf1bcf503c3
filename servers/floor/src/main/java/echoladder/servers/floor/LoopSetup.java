package echoladder.servers.floor;

import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SystemCalls;
import echoladder.servers.kit.EchoMetrics;
import org.jspecify.annotations.Nullable;

/**
 * What a loop is made of.
 *
 * @param index 0 for the loop that accepts, the others count on
 * @param sys of the loop's thread
 * @param epoll of the loop's thread
 * @param bufferBytes 1 or more: the most that one read takes
 * @param drain how long connections may still take once the listener is shut down
 * @param acceptor what accepts connections on this loop's thread; null on all loops but one
 */
record LoopSetup(
    int index,
    SystemCalls sys,
    Epoll epoll,
    int bufferBytes,
    DescriptorOwners owners,
    EchoMetrics metrics,
    Drain drain,
    @Nullable Acceptor acceptor) {}
