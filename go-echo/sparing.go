package main

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
)

// spares is how many connections to the metrics page can be made when no descriptor is left: all that it serves, and one
// that comes to take the place of another.
const spares = pagePlaces + 2

// sparingListener keeps descriptors in reserve, so that the metrics page answers when the echo has used all others:
// just then somebody wants to know. The echo could take one in the instant it is given up; then the next one serves.
type sparingListener struct {
	*net.TCPListener
	waits *pageWaits
	mu    sync.Mutex
	spare []*os.File
}

func listenSparing(host string, port int) (*sparingListener, error) {
	tcp, err := listenTCP(host, port)
	if err != nil {
		return nil, err
	}
	l := &sparingListener{TCPListener: tcp, waits: newPageWaits()}
	l.refill()
	return l, nil
}

// Accept is as net.Listener has it; errors that pass are retried by net/http.
func (l *sparingListener) Accept() (net.Conn, error) {
	c, err := l.AcceptTCP()
	for errors.Is(err, syscall.EMFILE) && l.giveUpOne() {
		c, err = l.AcceptTCP()
	}
	if err != nil {
		return nil, err
	}
	c.SetWriteBuffer(pageSendBufferBytes) // Its error would be of a connection that has ended.
	connection := &sparingConnection{c, l}
	l.waits.enter(connection)
	return connection, nil
}

func (l *sparingListener) giveUpOne() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.spare) == 0 {
		return false
	}
	last := len(l.spare) - 1
	l.spare[last].Close()
	l.spare = l.spare[:last]
	return true
}

// refill takes as many as it gets; the next connection that closes tries again.
func (l *sparingListener) refill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.spare) < spares {
		f, err := os.Open(os.DevNull)
		if err != nil {
			return
		}
		l.spare = append(l.spare, f)
	}
}

func (l *sparingListener) dropSpares() {
	for l.giveUpOne() {
	}
}

type sparingConnection struct {
	*net.TCPConn
	listener *sparingListener
}

func (c *sparingConnection) Close() error {
	err := c.TCPConn.Close()
	c.listener.waits.leave(c)
	c.listener.refill()
	return err
}
