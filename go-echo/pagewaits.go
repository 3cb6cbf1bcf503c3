package main

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// pagePlaces is how many connections to the metrics page are served at a time.
	pagePlaces = 6
	// pageBound is how long a request may take to arrive, and its answer to be taken.
	pageBound = 5 * time.Second
	// pageIdleBound is how long a connection may stay between two requests.
	pageIdleBound = time.Minute
	// pageSendBufferBytes are a few pages: a client that asks on and on and does not read is soon waited for.
	pageSendBufferBytes = 64 << 10
	// pageLeastWait is enough for any client that asks as soon as it is connected.
	pageLeastWait = 250 * time.Millisecond
)

// pageWaits tells how long the metrics page has waited for each of its clients. Where every place is taken, the longest
// wait ends its connection: the next client gets the place. Bounds of single requests are net/http's to keep.
type pageWaits struct {
	mu    sync.Mutex
	since map[net.Conn]time.Time // The zero time where the client waits for the page.
}

func newPageWaits() *pageWaits { return &pageWaits{since: make(map[net.Conn]time.Time)} }

// enter gives c a place. Where there is none it waits, at most pageLeastWait, until another connection has waited for so
// long, and closes that one.
func (w *pageWaits) enter(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.since) >= pagePlaces {
		longest, began := w.longest()
		if left := pageLeastWait - time.Since(began); longest == nil || left > 0 {
			w.mu.Unlock()
			time.Sleep(min(max(left, time.Millisecond), pageLeastWait))
			w.mu.Lock()
			continue
		}
		delete(w.since, longest)
		w.mu.Unlock()
		longest.Close() // Its error would be of a connection that nobody uses any more.
		w.mu.Lock()
	}
	w.since[c] = time.Now()
}

func (w *pageWaits) longest() (longest net.Conn, began time.Time) {
	for c, since := range w.since {
		if !since.IsZero() && (longest == nil || since.Before(began)) {
			longest, began = c, since
		}
	}
	return longest, began
}

func (w *pageWaits) leave(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.since, c)
}

// note sets since when c is waited for; a connection that was ended stays out.
func (w *pageWaits) note(c net.Conn, since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.since[c]; there {
		w.since[c] = since
	}
}

// changed is http.Server's ConnState: a request's first byte has come, or its answer is on the way.
func (w *pageWaits) changed(c net.Conn, state http.ConnState) {
	if state == http.StateActive || state == http.StateIdle {
		w.note(c, time.Now())
	}
}

type pageConnectionKey struct{}

func withPageConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, pageConnectionKey{}, c)
}

// whole has an answer made in memory, while the client waits for the page, and sent when it is whole, while the page waits
// for the client.
func (w *pageWaits) whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		c := r.Context().Value(pageConnectionKey{}).(net.Conn)
		w.note(c, time.Time{})
		answer := &wholeAnswer{header: out.Header(), status: http.StatusOK}
		next.ServeHTTP(answer, r)
		w.note(c, time.Now())
		// An answer may have taken long to make; an error is that of a connection that has ended.
		http.NewResponseController(out).SetWriteDeadline(time.Now().Add(pageBound))
		out.WriteHeader(answer.status)
		out.Write(answer.body.Bytes())
	})
}

type wholeAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *wholeAnswer) Header() http.Header         { return a.header }
func (a *wholeAnswer) WriteHeader(status int)      { a.status = status }
func (a *wholeAnswer) Write(b []byte) (int, error) { return a.body.Write(b) }

// ownOnly refuses what a browser sends on behalf of a site's page. A site can also give its own name this host's loopback
// address (DNS rebinding), so that a page on loopback hears to loopback's names alone.
func ownOnly(host string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := strings.ToLower(r.Header.Get("Sec-Fetch-Site"))
		ofASite := len(r.Header.Values("Origin")) > 0 || (site != "" && site != "none" && site != "same-origin")
		if ofASite || !ownName(host, r.Host) {
			http.Error(w, "this page answers no other site's pages, and on loopback no other name than localhost and "+
				"its address", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownName tells whether a page that listens on host may be called asked; no browser leaves that empty.
func ownName(host, asked string) bool {
	name := asked
	if h, _, err := net.SplitHostPort(asked); err == nil {
		name = h
	}
	onLoopback := func(name string) bool {
		ip := net.ParseIP(name)
		return strings.EqualFold(name, "localhost") || (ip != nil && ip.IsLoopback())
	}
	return name == "" || strings.EqualFold(name, host) || onLoopback(name) || !onLoopback(host)
}
