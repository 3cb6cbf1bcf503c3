package main

import (
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
)

// counts is what a server has done since its start. Written by the connections, read at each scrape.
type counts struct {
	accepted     atomic.Int64
	acceptErrors map[string]*atomic.Int64 // By reason; the keys never change, so reading needs no lock.
	shards       [64]shard
	push         *pushCounts // nil = the server echoes
}

// pushCounts is what a push server has done, beside what its shards count.
type pushCounts struct {
	published, disconnected, malformed, subscriptions atomic.Int64
}

// shard counts for a share of the connections and lists them. There are many so that two processors that count
// rarely write the same cache line; a connection stays with one for its life.
type shard struct {
	received, sent atomic.Int64
	// Of push: messages that the kernel took whole, messages that it did not, and bytes of frames that wait.
	messages, dropped, queued atomic.Int64
	_                         [88]byte // Two cache lines, as the processor fetches them in pairs.

	mu    sync.Mutex
	first *connection
	open  int
	_     [104]byte
}

func newCounts() *counts {
	return &counts{acceptErrors: map[string]*atomic.Int64{"emfile": {}, "enfile": {}, "other": {}}}
}

// acceptFailed counts a failed accept under its reason and returns that.
func (c *counts) acceptFailed(err error) string {
	reason := "other"
	switch {
	case errors.Is(err, syscall.EMFILE):
		reason = "emfile"
	case errors.Is(err, syscall.ENFILE):
		reason = "enfile"
	}
	c.acceptErrors[reason].Add(1)
	return reason
}

func (c *counts) received() int64 { return c.sum(func(s *shard) *atomic.Int64 { return &s.received }) }
func (c *counts) sent() int64     { return c.sum(func(s *shard) *atomic.Int64 { return &s.sent }) }
func (c *counts) messages() int64 { return c.sum(func(s *shard) *atomic.Int64 { return &s.messages }) }
func (c *counts) dropped() int64  { return c.sum(func(s *shard) *atomic.Int64 { return &s.dropped }) }
func (c *counts) queued() int64   { return c.sum(func(s *shard) *atomic.Int64 { return &s.queued }) }

// sum is one count of all shards.
func (c *counts) sum(count func(*shard) *atomic.Int64) (total int64) {
	for i := range c.shards {
		total += count(&c.shards[i]).Load()
	}
	return total
}

func (c *counts) open() (total int) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		total += s.open
		s.mu.Unlock()
	}
	return total
}

// each calls f for every open connection. f must not open or close one.
func (c *counts) each(f func(*connection)) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for conn := s.first; conn != nil; conn = conn.next {
			f(conn)
		}
		s.mu.Unlock()
	}
}

// add lists c. The list runs through the connections themselves: 16 bytes each, where a map would take several times
// that and stall when it grows.
func (s *shard) add(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.next = s.first
	if s.first != nil {
		s.first.previous = c
	}
	s.first = c
	s.open++
}

func (s *shard) remove(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.previous != nil {
		c.previous.next = c.next
	} else {
		s.first = c.next
	}
	if c.next != nil {
		c.next.previous = c.previous
	}
	s.open--
}
