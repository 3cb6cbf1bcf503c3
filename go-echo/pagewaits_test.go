package main

import (
	"net"
	"testing"
	"time"
)

type endedConnection struct {
	net.Conn
	ended bool
}

func (c *endedConnection) Close() error {
	c.ended = true
	return nil
}

func TestTheLongestWaitGivesItsPlace(t *testing.T) {
	w := newPageWaits()
	connections := make([]*endedConnection, pagePlaces)
	for i := range connections {
		connections[i] = &endedConnection{}
		w.enter(connections[i])
	}
	w.note(connections[0], time.Time{}) // Waits for its answer.
	w.note(connections[1], time.Now())  // Has asked again.
	w.enter(&endedConnection{})
	for i, c := range connections {
		if c.ended != (i == 2) {
			t.Errorf("connection %d: ended is %v; the third one had waited longest", i, c.ended)
		}
	}
}

func TestOwnNames(t *testing.T) {
	for _, c := range []struct {
		host, asked string
		own         bool
	}{
		{"127.0.0.1", "127.0.0.1:9100", true},
		{"127.0.0.1", "127.3.2.1", true},
		{"127.0.0.1", "LocalHost:9100", true},
		{"127.0.0.1", "", true},
		{"127.0.0.1", "site.example:9100", false},
		{"127.0.0.1", "127.0.0.1.site.example", false},
		{"127.0.0.1", "10.0.0.1:9100", false},
		{"localhost", "site.example", false},
		{"0.0.0.0", "server.example:9100", true},
		{"10.0.0.1", "server.example", true},
	} {
		if ownName(c.host, c.asked) != c.own {
			t.Errorf("a page on %s asked as %q: own is %v", c.host, c.asked, !c.own)
		}
	}
}
