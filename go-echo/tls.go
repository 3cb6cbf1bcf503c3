package main

import (
	"crypto/tls"
	"fmt"
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

// echoTLS is echo over TLS. Who has sent close_notify, or a FIN without one, gets close_notify.
func (s *tcpServer) echoTLS(c *connection) {
	conn := tls.Server(c.TCPConn, s.tls)
	c.SetDeadline(time.Now().Add(handshakeLimit))
	if conn.Handshake() != nil {
		return
	}
	c.SetDeadline(time.Time{})
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
