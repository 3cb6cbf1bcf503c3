//go:build !netpoll

package main

import (
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"log"
	"path/filepath"
)

const (
	serverName         = "go-echo"
	model              = "with one goroutine per connection"
	defaultBufferBytes = 256
	bufferBytesFlag    = "buffer-bytes"
	bufferBytesMeaning = "bytes read and written at once, of each connection"
)

// modelOptions are those of push and of TLS.
type modelOptions struct {
	traffic        string
	pushQueueBytes int
	slowReader     string
	tls            string
	tlsCert        string
	tlsKey         string
}

func (m *modelOptions) flags(f *flag.FlagSet) {
	f.StringVar(&m.traffic, "traffic", trafficEcho,
		"echo, or push: clients subscribe to topics and publish to them, over http by GET /subscribe?topic=N and "+
			"POST /publish?topic=N")
	f.IntVar(&m.pushQueueBytes, "push-queue-bytes", 1<<20, "push: what waits for one connection at most")
	f.StringVar(&m.slowReader, "slow-reader", slowDisconnect,
		"push: drop-oldest or disconnect: what becomes of a connection whose queue is full")
	f.StringVar(&m.tls, "tls", switchedOff, "on or off: whether connections are TLS 1.3 or 1.2, by crypto/tls")
	f.StringVar(&m.tlsCert, "tls-cert", "", "tls: file with the server's certificate, and those between it and its authority, in PEM")
	f.StringVar(&m.tlsKey, "tls-key", "", "tls: file with the certificate's private key, in PEM")
}

func (m *modelOptions) ranges() []optionRange {
	return []optionRange{{"push-queue-bytes", m.pushQueueBytes, 1 << 10, 1 << 30}}
}

func (m *modelOptions) check() error {
	switch {
	case m.traffic != trafficEcho && m.traffic != trafficPush:
		return fmt.Errorf("--traffic %s is not known; echo or push", m.traffic)
	case m.slowReader != slowDropOldest && m.slowReader != slowDisconnect:
		return fmt.Errorf("--slow-reader %s is not known; drop-oldest or disconnect", m.slowReader)
	case m.tls != switchedOn && m.tls != switchedOff:
		return fmt.Errorf("--tls %s is not known; on or off", m.tls)
	case m.tls == switchedOn && m.traffic != trafficEcho:
		return errors.New("--tls on is for --traffic echo")
	case m.tls == switchedOn && (m.tlsCert == "" || m.tlsKey == ""):
		return errors.New("--tls on needs --tls-cert FILE and --tls-key FILE, both in PEM")
	case m.tls == switchedOff && m.tlsCert+m.tlsKey != "":
		return errors.New("--tls-cert and --tls-key are for --tls on")
	}
	return nil
}

func (m *modelOptions) config(c map[string]any) {
	c["traffic"] = m.traffic
	c["push_queue_bytes"] = m.pushQueueBytes
	c["slow_reader"] = m.slowReader
	c["tls"] = m.tls
	if m.tls == switchedOn {
		// Their folders are others in each run.
		c["tls_cert"], c["tls_key"] = filepath.Base(m.tlsCert), filepath.Base(m.tlsKey)
		c["tls_library"] = "crypto/tls"
	}
}

// httpConfig is what of these options is in force over HTTP.
func (m *modelOptions) httpConfig(c map[string]any) { m.config(c) }

// tlsConfig is that of its files; nil where connections are plain.
func (m *modelOptions) tlsConfig() (*tls.Config, error) {
	if m.tls == switchedOff {
		return nil, nil
	}
	return tlsConfig(m.tlsCert, m.tlsKey)
}

func newHTTPServerOf(l *listener, c *counts, o *options, logger *log.Logger, config *tls.Config) *httpServer {
	if o.model.traffic == trafficPush {
		return newEventServer(l, c, o, logger)
	}
	s := newHTTPServer(l, c, logger)
	if config != nil {
		s.speakTLS(config)
	}
	return s
}

func newWebSocketServerOf(l *listener, c *counts, o *options, config *tls.Config) *webSocketServer {
	s := newWebSocketServer(l, c, o)
	s.tls = config
	if o.model.traffic == trafficPush {
		push := newTopics(c, o)
		s.maxMessageBytes = max(s.maxMessageBytes, frameHeadBytes-lengthBytes+mostBodyBytes)
		s.pushes = func(c *connection) pusher { return newSocketPush(c, push) }
	}
	return s
}

func newTCPServer(l *listener, c *counts, o *options, _ *log.Logger, config *tls.Config) (server, error) {
	if o.model.traffic == trafficPush {
		return newPushServer(l, c, o), nil
	}
	s := newGoroutinesServer(l, c, o.bufferBytes)
	s.tls = config
	return s, nil
}
