package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// acceptPause is how long a failed accept keeps from the next: long enough not to spin, short enough that a freed
	// descriptor is used soon.
	acceptPause = 50 * time.Millisecond
	logPause    = time.Second
)

// listener accepts until it is closed, whatever fails in between: failures are counted, logged at most once a second
// and followed by a pause. AcceptTCP is for one goroutine at a time.
type listener struct {
	*net.TCPListener
	backlogInForce int // As the kernel tells it.
	counts         *counts
	logger         *log.Logger
	closing        func()
	closed         chan struct{}

	lastLogged time.Time
	unlogged   int
}

// listen opens host:port with the given length of the accept queue. An error says what to do about it.
func listen(host string, port, backlog int, c *counts, logger *log.Logger) (*listener, error) {
	tcp, err := listenTCP(host, port)
	if err != nil {
		return nil, err
	}
	inForce, err := setBacklog(tcp, backlog)
	if err != nil {
		tcp.Close()
		return nil, fmt.Errorf("could not set the accept queue of %s to %d: %w", tcp.Addr(), backlog, err)
	}
	if inForce < backlog {
		logger.Printf("backlog is %d, not the %d asked for: net.core.somaxconn caps it; raise that by sysctl first",
			inForce, backlog)
	}
	l := &listener{TCPListener: tcp, backlogInForce: inForce, counts: c, logger: logger, closed: make(chan struct{})}
	l.closing = sync.OnceFunc(func() { close(l.closed) })
	return l, nil
}

// listenTCP leaves out two things that Go does by itself and the other servers don't, as they would change what is
// measured: keep-alive probes every 15 s (a million idle connections would send 67,000 packets per second) and
// Multipath TCP on the listening socket.
func listenTCP(host string, port int) (*net.TCPListener, error) {
	config := net.ListenConfig{KeepAlive: -1}
	config.SetMultipathTCP(false)
	if host == allOfLoopback {
		// The loopback device brings what is for 127.0.0.0/8, and nothing from another host.
		host = "0.0.0.0"
		config.Control = func(_, _ string, raw syscall.RawConn) error {
			var failed error
			err := raw.Control(func(fd uintptr) { failed = unix.BindToDevice(int(fd), "lo") })
			return errors.Join(err, failed)
		}
	}
	// For 0.0.0.0 Go would otherwise open an IPv6 socket, which the kernel serves and accounts differently.
	network := "tcp"
	if ip := net.ParseIP(host); ip != nil && ip.To4() != nil {
		network = "tcp4"
	}
	address := net.JoinHostPort(host, strconv.Itoa(port))
	l, err := config.Listen(context.Background(), network, address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen on %s failed: %w; another socket has this port, perhaps as its ephemeral one "+
			"(ss -tanp 'sport = %d' tells whose); take another or 0 for any free one", address, err, port)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen on %s failed: %w; ports below net.ipv4.ip_unprivileged_port_start need "+
			"CAP_NET_BIND_SERVICE; take a higher one or 0 for any free one", address, err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("listen on %s failed: %w; this host does not have the address (ip address tells which "+
			"it has); --host 0.0.0.0 takes all of them", address, err)
	case err != nil:
		return nil, fmt.Errorf("listen on %s failed: %w; check --host and the port", address, err)
	}
	return l.(*net.TCPListener), nil
}

// setBacklog gives the accept queue its length and returns the one in force. Go listens with net.core.somaxconn and
// has no option for it; listen(2) may be called again on the same socket, and then only changes the length. On a
// listening socket TCP_INFO carries the length in the field that otherwise counts SACKed segments (tcp(7) does not
// tell; tcp_get_info in net/ipv4/tcp.c does).
func setBacklog(l *net.TCPListener, backlog int) (inForce int, err error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		if failed = unix.Listen(int(fd), backlog); failed != nil {
			return
		}
		var info *unix.TCPInfo
		if info, failed = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); failed == nil {
			inForce = int(info.Sacked)
		}
	})
	return inForce, errors.Join(err, failed)
}

// endsOfGonePeers sets how connections end whose peer is gone without FIN or RST: whether silent ones are probed, and for
// how long what was sent may stay unacknowledged (0 = as the kernel has it). An accepted socket has what its listener has.
func (l *listener) endsOfGonePeers(keepAlive bool, userTimeoutMs int) error {
	raw, err := l.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		if keepAlive {
			failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1)
		}
		if failed == nil && userTimeoutMs > 0 {
			failed = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, userTimeoutMs)
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("could not set SO_KEEPALIVE or TCP_USER_TIMEOUT of %s: %w", l.Addr(), err)
	}
	return nil
}

func (l *listener) port() int { return l.Addr().(*net.TCPAddr).Port }

// Close ends AcceptTCP, also one that pauses.
func (l *listener) Close() error {
	l.closing()
	return l.TCPListener.Close()
}

// Accept is AcceptTCP, for net/http.
func (l *listener) Accept() (net.Conn, error) { return l.AcceptTCP() }

// AcceptTCP returns the next connection, with TCP_NODELAY on as Go has it. The only error is net.ErrClosed.
func (l *listener) AcceptTCP() (*net.TCPConn, error) {
	for {
		c, err := l.TCPListener.AcceptTCP()
		if err == nil {
			l.counts.accepted.Add(1)
			return c, nil
		}
		if errors.Is(err, net.ErrClosed) {
			return nil, net.ErrClosed
		}
		l.note(err, l.counts.acceptFailed(err))
		select {
		case <-l.closed:
			return nil, net.ErrClosed
		case <-time.After(acceptPause):
		}
	}
}

func (l *listener) note(err error, reason string) {
	l.unlogged++
	if time.Since(l.lastLogged) < logPause {
		return
	}
	advice := "going on after a pause"
	var nofile unix.Rlimit
	if reason == "emfile" && unix.Getrlimit(unix.RLIMIT_NOFILE, &nofile) == nil {
		advice = fmt.Sprintf("RLIMIT_NOFILE is %d; raise it (ulimit -n), see runbooks/symptoms/descriptor-limit.md",
			nofile.Cur)
	} else if reason == "enfile" {
		advice = "fs.file-max is reached; raise it by sysctl, see runbooks/symptoms/descriptor-limit.md"
	}
	l.logger.Printf("accept failed %d times since this was last said, with %d connections open: %v; %s",
		l.unlogged, l.counts.open(), err, advice)
	l.lastLogged, l.unlogged = time.Now(), 0
}
