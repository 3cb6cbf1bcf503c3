package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// handshakeLimit bounds a handshake as a whole: a client that stops in the middle, or sends it byte by byte, is ended.
const handshakeLimit = 30 * time.Second

// tlsConfig has the certificate of two files. Versions, ciphers and tickets are crypto/tls's own, from TLS 1.2 on.
func tlsConfig(certificate, key string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s and --tls-key %s cannot be used: %w; they are a chain and its private key, in PEM",
			certificate, key, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// stream is what is spoken on: a TCP connection, or TLS on one.
type stream interface {
	net.Conn
	// CloseWrite ends this side: by a FIN, or by close_notify.
	CloseWrite() error
}

// over is the stream of a connection: itself where config is nil, else TLS on it, whose handshake has ended.
func (c *connection) over(config *tls.Config) (stream, error) {
	if config == nil {
		return c.TCPConn, nil
	}
	conn := tls.Server(c.TCPConn, config)
	c.SetDeadline(time.Now().Add(handshakeLimit))
	if err := conn.Handshake(); err != nil {
		return nil, err
	}
	c.SetDeadline(time.Time{})
	return conn, nil
}

// echoTLS is echo over TLS. Who has sent close_notify, or a FIN without one, gets close_notify.
func (s *tcpServer) echoTLS(c *connection) {
	conn, err := c.over(s.tls)
	if err != nil {
		return
	}
	defer conn.Close()
	buffer := make([]byte, s.bufferBytes)
	for {
		// Bytes may come together with the end.
		n, err := conn.Read(buffer)
		c.shard.received.Add(int64(n))
		if n > 0 {
			sent, failed := conn.Write(buffer[:n])
			c.shard.sent.Add(int64(sent))
			if failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// boundedHandshake gives a handshake of net/http handshakeLimit from the client's hello on. net/http bounds it by headerTimeout, and takes
// every bound away when it is over.
func boundedHandshake(hello *tls.ClientHelloInfo) (*tls.Config, error) {
	hello.Conn.SetDeadline(time.Now().Add(handshakeLimit)) // Its error is that of a closed connection, which the handshake tells too.
	return nil, nil
}

// withoutHandshakes leaves out what net/http says of each handshake that fails, of which there may be thousands a second. That is the
// peer's right and needs no word, as over TCP.
type withoutHandshakes struct{ io.Writer }

func (w withoutHandshakes) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("http: TLS handshake error from ")) {
		return len(line), nil
	}
	return w.Writer.Write(line)
}

// newcomers are the connections of net/http over TLS on which no request has begun. Shutdown leaves each of them alone for 5 s, as a
// request may be on its way.
type newcomers struct {
	mu   sync.Mutex
	list map[*httpConnection]struct{}
}

// changed follows a connection from its accept to its first request, or its end before that.
func (n *newcomers) changed(conn net.Conn, state http.ConnState) {
	c := httpConnectionOf(conn)
	if c.begun {
		return
	}
	c.begun = state != http.StateNew
	n.mu.Lock()
	defer n.mu.Unlock()
	if c.begun {
		delete(n.list, c)
	} else {
		n.list[c] = struct{}{}
	}
}

// end lets each of them read what it has received, and no more.
func (n *newcomers) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.list {
		c.CloseRead()
	}
}

// httpConnectionOf is the connection under what net/http serves.
func httpConnectionOf(conn net.Conn) *httpConnection {
	if over, ok := conn.(*tls.Conn); ok {
		conn = over.NetConn()
	}
	return conn.(*httpConnection)
}
