//go:build !netpoll

package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

const (
	eventBegin = "data: "
	eventEnd   = "\n\n"
)

// eventServer pushes over HTTP: a subscriber's request is answered by a stream of events, whose handler is the connection's writer; a POST
// publishes. See servers/README.md, "Push over HTTP".
type eventServer struct {
	*pushServer
	stopping atomic.Bool
}

func newEventServer(l *listener, c *counts, o *options, logger *log.Logger) *httpServer {
	s := &eventServer{pushServer: newTopics(c, o)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /subscribe", s.stream)
	// GET takes HEAD too: that would be a subscription whose events nobody gets.
	mux.HandleFunc("HEAD /subscribe", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", http.MethodGet)
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	mux.HandleFunc("POST /publish", s.take)
	h := newHTTPServer(l, c, logger)
	h.http.Handler = mux
	h.http.RegisterOnShutdown(s.finish)
	return h
}

// topicOf is the topic that a request names; false where it names none, which is then answered.
func (s *eventServer) topicOf(w http.ResponseWriter, r *http.Request) (uint32, bool) {
	if named := r.URL.Query()["topic"]; len(named) == 1 {
		if id, err := strconv.ParseUint(named[0], 10, 31); err == nil {
			return uint32(id), true
		}
	}
	s.refuse(w, "topic is a whole number from 0 to 2147483647")
	return 0, false
}

func (s *eventServer) refuse(w http.ResponseWriter, why string) {
	s.counts.push.malformed.Add(1)
	http.Error(w, why, http.StatusBadRequest)
}

// stream subscribes, and writes what is published until either end has enough of it.
func (s *eventServer) stream(w http.ResponseWriter, r *http.Request) {
	id, ok := s.topicOf(w, r)
	if !ok {
		return
	}
	c := connectionOf(r)
	control := http.NewResponseController(w)
	out := newOutbox(&c.connection, s.pushServer)
	out.events = func(batch [][]byte) (int64, error) { return writeEvents(w, control, batch) }
	sub := s.subscribe(id, out)
	defer s.leave(sub, false)
	if s.stopping.Load() {
		out.finish() // The others were told before this one was there.
	}
	// The peer is gone: what waits is dropped, and a write that waits for it ends.
	defer context.AfterFunc(r.Context(), func() {
		out.abandon()
		c.SetDeadline(time.Unix(1, 0))
	})()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	// The head tells that the subscription is in force. Where it cannot be written, nor can what follows.
	control.Flush()
	out.writeAll()
	if out.hasEnded() {
		// Not the end of the stream: the connection goes as it is.
		panic(http.ErrAbortHandler)
	}
}

// writeEvents counts nothing of what is not with the kernel whole.
func writeEvents(w http.ResponseWriter, control *http.ResponseController, batch [][]byte) (n int64, err error) {
	for _, event := range batch {
		if _, err := w.Write(event); err != nil {
			return 0, err
		}
		n += int64(len(event))
	}
	if err := control.Flush(); err != nil {
		return 0, err
	}
	return n, nil
}

// take publishes a body, and answers to how many it went.
func (s *eventServer) take(w http.ResponseWriter, r *http.Request) {
	id, ok := s.topicOf(w, r)
	if !ok {
		return
	}
	event, ok := readBody(w, r, eventBegin)
	if !ok {
		return
	}
	body := event.Bytes()[len(eventBegin):]
	if bytes.ContainsAny(body, "\r\n") || !utf8.Valid(body) {
		s.refuse(w, "a message is one line of UTF-8")
		return
	}
	connectionOf(r).shard.received.Add(int64(len(body)))
	event.WriteString(eventEnd)
	s.counts.push.published.Add(1)
	took := s.publish(id, event.Bytes())
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, took) // An error is the peer's going away.
}

// finish has each stream end behind what is queued for it.
func (s *eventServer) finish() {
	s.stopping.Store(true)
	s.mu.RLock()
	all := make([]*topic, 0, len(s.topics))
	for _, t := range s.topics {
		all = append(all, t)
	}
	s.mu.RUnlock()
	for _, t := range all {
		t.mu.Lock()
		for _, sub := range t.subscribers {
			sub.outbox.finish()
		}
		t.mu.Unlock()
	}
}
