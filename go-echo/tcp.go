package main

import (
	"crypto/tls"
	"net"
	"sync"
	"time"
)

// tcpServer returns every byte as it came.
type tcpServer struct {
	listener    *listener
	counts      *counts
	bufferBytes int
	tls         *tls.Config // nil = plain
	accepting   sync.WaitGroup
	echoing     sync.WaitGroup
}

// connection is all there is per connection beside its goroutine and its buffer.
type connection struct {
	*net.TCPConn
	shard          *shard
	previous, next *connection
}

func newGoroutinesServer(l *listener, c *counts, bufferBytes int) *tcpServer {
	s := &tcpServer{listener: l, counts: c, bufferBytes: bufferBytes}
	s.accepting.Add(1)
	return s
}

func (s *tcpServer) serve() {
	defer s.accepting.Done()
	s.listener.each(s.counts, &s.echoing, s.echo)
}

// each has a goroutine of its own handle each connection that comes, until the listener is closed; handling counts them.
func (l *listener) each(counts *counts, handling *sync.WaitGroup, handle func(*connection)) {
	for n := 0; ; n++ {
		tcp, err := l.AcceptTCP()
		if err != nil {
			return // Closed: by drain, as nothing else ends the listener.
		}
		c := &connection{TCPConn: tcp, shard: &counts.shards[n%len(counts.shards)]}
		c.shard.add(c)
		handling.Add(1)
		go handle(c)
	}
}

// echo writes back what it reads until the peer ends or an error does. A peer that does not read blocks the write, and
// so costs one buffer and what the kernel queues. A reset is the peer's right and needs no word.
func (s *tcpServer) echo(c *connection) {
	defer s.echoing.Done()
	defer c.shard.remove(c)
	defer c.Close()
	if s.tls != nil {
		s.echoTLS(c)
		return
	}
	buffer := make([]byte, s.bufferBytes)
	for {
		n, err := c.Read(buffer)
		if err != nil {
			return
		}
		c.shard.received.Add(int64(n))
		n, err = c.Write(buffer[:n])
		c.shard.sent.Add(int64(n))
		if err != nil {
			return
		}
	}
}

func (s *tcpServer) drain(limit time.Duration) int {
	s.listener.Close()
	s.accepting.Wait()
	return closeAll(s.counts, &s.echoing, limit)
}

// closeAll lets each connection end after what it has received; when the time is over it closes them and returns how many.
func closeAll(c *counts, serving *sync.WaitGroup, limit time.Duration) int {
	// After shutdown(SHUT_RD) Linux still hands out what was received, and then ends the stream: each goroutine echoes
	// what it owes and closes.
	c.each(func(open *connection) { open.CloseRead() })
	closed := make(chan struct{})
	go func() {
		serving.Wait()
		close(closed)
	}()
	select {
	case <-closed:
		return 0
	case <-time.After(limit):
	}
	left := 0
	c.each(func(open *connection) {
		open.Close()
		left++
	})
	<-closed
	return left
}
