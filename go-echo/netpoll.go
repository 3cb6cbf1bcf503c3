//go:build netpoll

package main

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"log"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/cloudwego/netpoll"
	"golang.org/x/sys/unix"
)

const (
	serverName         = "go-netpoll"
	model              = "on the event loops of cloudwego/netpoll"
	defaultBufferBytes = 8192 // As netpoll has it.
	bufferBytesFlag    = "first-buffer-bytes"
	bufferBytesMeaning = "a connection's first buffer, which grows with what it receives"
	quietLooks         = 3
	betweenLooks       = 10 * time.Millisecond
	// betweenWrites is for a client that has ended its side and is slow to read: the event loop does not wait for it any more.
	betweenWrites = 5 * time.Millisecond
)

// modelOptions are those of the library.
type modelOptions struct{ pollers int }

func (m *modelOptions) flags(f *flag.FlagSet) {
	f.IntVar(&m.pollers, "pollers", 0, "event loops, 0 = as netpoll chooses: one, and one more per 20 of GOMAXPROCS")
}

func (m *modelOptions) ranges() []optionRange { return []optionRange{{"pollers", m.pollers, 0, 1024}} }

func (m *modelOptions) check() error { return nil }

func (m *modelOptions) config(c map[string]any) {
	c["pollers"] = m.pollers
	c["io"] = "cloudwego/netpoll, epoll level-triggered"
}

// httpConfig is what of these options is in force over HTTP: nothing, as net/http serves there.
func (m *modelOptions) httpConfig(map[string]any) {}

// tlsConfig is none: connections are plain.
func (m *modelOptions) tlsConfig() (*tls.Config, error) { return nil, nil }

func newHTTPServerOf(l *listener, c *counts, _ *options, logger *log.Logger, _ *tls.Config) *httpServer {
	return newHTTPServer(l, c, logger)
}

func newWebSocketServerOf(l *listener, c *counts, o *options, _ *tls.Config) *webSocketServer {
	return newWebSocketServer(l, c, o)
}

// netpollServer echoes by the library's own event loop. It changes nothing in the library: server.yaml tells, under cannot,
// which clauses of the contract the library does not keep.
type netpollServer struct {
	loop     netpoll.EventLoop
	listener *countingListener
	counts   *counts
	next     atomic.Int64
	serving  sync.WaitGroup
}

// netpollConnection begins with what the shards list, so that one leads to the other.
type netpollConnection struct {
	connection
	netpoll netpoll.Connection
}

type connectionKey struct{}

func newTCPServer(l *listener, c *counts, o *options, logger *log.Logger, _ *tls.Config) (server, error) {
	if err := netpoll.Configure(netpoll.Config{
		PollerNum: o.model.pollers, BufferSize: o.bufferBytes, LoggerOutput: &libraryLog{logger: logger},
		LoadBalance: netpoll.RoundRobin,
	}); err != nil {
		return nil, fmt.Errorf("netpoll could not be configured with %d pollers: %w", o.model.pollers, err)
	}
	netpoll.Initialize() // Its descriptors, before connections take all there are.
	accepting, err := netpoll.ConvertListener(l.TCPListener)
	if err != nil {
		return nil, fmt.Errorf("netpoll could not take the listener: %w", err)
	}
	s := &netpollServer{listener: &countingListener{Listener: accepting, own: l}, counts: c}
	s.loop, err = netpoll.NewEventLoop(s.echo, netpoll.WithOnPrepare(s.prepare))
	if err != nil {
		return nil, fmt.Errorf("netpoll could not make its event loop: %w", err)
	}
	s.serving.Add(1)
	return s, nil
}

func (s *netpollServer) serve() {
	defer s.serving.Done()
	s.loop.Serve(s.listener) // Its only error is that it was shut down.
}

// prepare lists a connection before its first event.
func (s *netpollServer) prepare(accepted netpoll.Connection) context.Context {
	shard := &s.counts.shards[int(s.next.Add(1))%len(s.counts.shards)]
	c := &netpollConnection{connection: connection{shard: shard}, netpoll: accepted}
	shard.add(&c.connection)
	accepted.AddCloseCallback(func(netpoll.Connection) error {
		shard.remove(&c.connection)
		return nil
	})
	return context.WithValue(context.Background(), connectionKey{}, c)
}

// echo writes back what the library has read. It blocks while the client does not read; the library reads on meanwhile.
func (s *netpollServer) echo(ctx context.Context, c netpoll.Connection) error {
	shard := ctx.Value(connectionKey{}).(*netpollConnection).shard
	n := c.Reader().Len()
	bytes, err := c.Reader().Next(n)
	if err != nil {
		return err
	}
	shard.received.Add(int64(n))
	n, err = write(c, bytes)
	shard.sent.Add(int64(n))
	c.Reader().Release()
	return err
}

// write hands bytes to the kernel by the descriptor, which the library keeps open until the handler returns. The library's
// writer refuses once an event loop has read the client's FIN, and does not say how much of a message it had sent by then.
func write(c netpoll.Connection, bytes []byte) (sent int, err error) {
	fd := c.(netpoll.Conn).Fd()
	for sent < len(bytes) {
		n, err := unix.Write(fd, bytes[sent:])
		switch {
		case err == nil:
			sent += n
		case err == unix.EAGAIN && flushed(c, bytes[sent]):
			sent++
		case err == unix.EAGAIN:
			time.Sleep(betweenWrites)
		case err != unix.EINTR:
			return sent, err
		}
	}
	return sent, nil
}

// flushed waits on the library's event loop until the client reads on. The writer gets one byte: either its flush succeeds,
// or the event loop has left the connection and nothing was sent.
func flushed(c netpoll.Connection, next byte) bool {
	return c.IsActive() && c.Writer().WriteByte(next) == nil && c.Writer().Flush() == nil
}

// drain waits until nothing more comes or goes for some looks, as a connection that the library closes loses what it has not
// read; then it closes those that are idle, and at the limit all.
func (s *netpollServer) drain(limit time.Duration) int {
	end := time.Now().Add(limit)
	s.listener.Close()
	before := [2]int64{-1, -1}
	for quiet := 0; quiet < quietLooks && time.Now().Before(end); {
		now := [2]int64{s.counts.received(), s.counts.sent()}
		if now == before {
			quiet++
		} else {
			quiet = 0
		}
		before = now
		time.Sleep(betweenLooks)
	}
	ctx, cancel := context.WithDeadline(context.Background(), end)
	defer cancel()
	s.loop.Shutdown(ctx) // Its error is that of the deadline, after which some are open.
	left := s.counts.open()
	var open []netpoll.Connection
	s.counts.each(func(c *connection) { open = append(open, (*netpollConnection)(unsafe.Pointer(c)).netpoll) })
	for _, c := range open {
		c.Close()
	}
	s.serving.Wait()
	return left
}

// countingListener counts what the library accepts and what it fails to. The library pauses by itself.
type countingListener struct {
	netpoll.Listener
	own  *listener
	mu   sync.Mutex
	once sync.Once
}

func (l *countingListener) Accept() (net.Conn, error) {
	l.mu.Lock() // After a failure the library accepts on a goroutine beside its event loop.
	defer l.mu.Unlock()
	c, err := l.Listener.Accept()
	switch {
	case err != nil:
		l.own.note(err, l.own.counts.acceptFailed(err))
	case c != nil:
		l.own.counts.accepted.Add(1)
	}
	return c, err
}

// Close may be called twice, and the library's own would then close another's descriptor.
func (l *countingListener) Close() error {
	var err error
	l.once.Do(func() { err = l.Listener.Close() })
	return err
}

// libraryLog passes on what the library says, a line a second at most, but for accepts, which are told with their limit.
type libraryLog struct {
	logger *log.Logger
	mu     sync.Mutex
	last   time.Time
}

func (l *libraryLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(string(line))
	if !strings.Contains(text, "accept conn") && time.Since(l.last) >= logPause {
		l.last = time.Now()
		l.logger.Print(text)
	}
	return len(line), nil
}
