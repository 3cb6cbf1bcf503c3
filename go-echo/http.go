package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	maxBodyBytes   = 1 << 20
	maxHeaderBytes = 64 << 10
	// headerTimeout bounds how long a request's header may take, from its first byte, and a new connection's first
	// request. Between requests a connection may idle for ever.
	headerTimeout = 10 * time.Second
	maxHeavy      = time.Minute
)

// httpServer is net/http with the endpoints that every HTTP server of Echo Ladder has.
type httpServer struct {
	http     *http.Server
	listener *listener
	counts   *counts
	serving  sync.WaitGroup
	fresh    newcomers // over TLS
}

// httpConnection leaves the list of open connections when it is closed, which net/http may do more than once.
type httpConnection struct {
	connection
	left  sync.Once
	begun bool // For newcomers.
}

func (c *httpConnection) Close() error {
	c.left.Do(func() { c.shard.remove(&c.connection) })
	return c.connection.Close()
}

// httpConnectionKey finds a request's connection in its context.
type httpConnectionKey struct{}

func newHTTPServer(l *listener, c *counts, logger *log.Logger) *httpServer {
	s := &httpServer{listener: l, counts: c}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /echo", echoBody)
	mux.HandleFunc("GET /api/light", light)
	mux.HandleFunc("GET /api/heavy", heavy)
	s.http = &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: headerTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          logger,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, httpConnectionKey{}, httpConnectionOf(c))
		},
	}
	s.serving.Add(1)
	return s
}

// speakTLS has it serve over TLS. By default net/http would offer HTTP/2 as well.
func (s *httpServer) speakTLS(config *tls.Config) {
	config.GetConfigForClient = boundedHandshake
	s.http.TLSConfig = config
	s.http.Protocols = new(http.Protocols)
	s.http.Protocols.SetHTTP1(true)
	s.fresh.list = map[*httpConnection]struct{}{}
	s.http.ConnState = s.fresh.changed
	all := s.http.ErrorLog
	s.http.ErrorLog = log.New(withoutHandshakes{all.Writer()}, all.Prefix(), all.Flags())
}

func (s *httpServer) serve() {
	defer s.serving.Done()
	accepted := &httpListener{listener: s.listener, counts: s.counts}
	// Their only error is that it was closed: the listener outlives every other.
	if s.http.TLSConfig != nil {
		s.http.ServeTLS(accepted, "", "")
	} else {
		s.http.Serve(accepted)
	}
}

// httpListener lists the connections that net/http is given.
type httpListener struct {
	*listener
	counts   *counts
	accepted int
}

func (l *httpListener) Accept() (net.Conn, error) {
	tcp, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	shard := &l.counts.shards[l.accepted%len(l.counts.shards)]
	l.accepted++
	c := &httpConnection{connection: connection{TCPConn: tcp, shard: shard}}
	shard.add(&c.connection)
	return c, nil
}

// drain lets every request finish that a handler has begun; net/http closes a connection on which a request has come but
// is not read yet.
func (s *httpServer) drain(limit time.Duration) int {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	s.listener.Close()
	s.serving.Wait()
	s.fresh.end()
	left := 0
	if s.http.Shutdown(ctx) != nil {
		left = s.counts.open()
		s.http.Close() // Its error would be the listener's, which is closed already.
	}
	return left
}

// connectionOf is the connection on which a request came.
func connectionOf(r *http.Request) *httpConnection {
	return r.Context().Value(httpConnectionKey{}).(*httpConnection)
}

// echoBody answers the body that it was sent.
func echoBody(w http.ResponseWriter, r *http.Request) {
	body, ok := readBody(w, r, "")
	if !ok {
		return
	}
	shard := connectionOf(r).shard
	shard.received.Add(int64(body.Len()))
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	sent, _ := w.Write(body.Bytes()) // An error is the peer's going away; net/http closes the connection.
	shard.sent.Add(int64(sent))
}

// readBody reads the body of a request behind begin; false where it cannot be had, which is then answered. It takes the whole of it first,
// as an answer that has begun cannot turn into 413 any more; so a request holds at most maxBodyBytes, and only what has really come.
func readBody(w http.ResponseWriter, r *http.Request, begin string) (*bytes.Buffer, bool) {
	if r.ContentLength > maxBodyBytes {
		refuseBody(w)
		return nil, false
	}
	expected := min(max(r.ContentLength, 0), 64<<10) // What a header says is not yet there, so only so much ahead.
	body := bytes.NewBuffer(make([]byte, 0, len(begin)+int(expected)+bytes.MinRead))
	body.WriteString(begin)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBodyBytes)); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			refuseBody(w)
		} else {
			http.Error(w, "the body could not be read: "+err.Error(), http.StatusBadRequest)
		}
		return nil, false
	}
	return body, true
}

func refuseBody(w http.ResponseWriter) {
	w.Header().Set("Connection", "close") // Rather than reading on to find the next request.
	http.Error(w, fmt.Sprintf("the body is larger than the %d bytes allowed", maxBodyBytes),
		http.StatusRequestEntityTooLarge)
}

// light answers at once.
func light(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write([]byte("light\n")) // An error is the peer's going away.
}

// heavy answers after the given number of milliseconds, as a handler does that waits for a database.
func heavy(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("duration")
	ms, err := strconv.Atoi(text)
	if err != nil || ms < 0 || ms > int(maxHeavy.Milliseconds()) {
		http.Error(w, fmt.Sprintf("duration=%q is not allowed; a whole number of milliseconds from 0 to %d",
			text, maxHeavy.Milliseconds()), http.StatusBadRequest)
		return
	}
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "heavy after %d ms\n", ms)
	case <-r.Context().Done(): // The peer is gone.
	}
}
