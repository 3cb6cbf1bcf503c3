package main

import (
	"encoding/json"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metricsServer answers GET /metrics and POST /gc.
type metricsServer struct {
	http     *http.Server
	listener *sparingListener
	hiccups  *hiccupMeter // nil = switched off
}

// startMetrics begins to answer; name is the server's, so that who scrapes it from afar sees whom.
func startMetrics(o *options, name string, c *counts, logger *log.Logger) (*metricsServer, error) {
	host := o.metricsHost()
	process, err := newProcessCollector()
	if err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(process, collectors.NewGoCollector())
	registerCounts(registry, c)
	registerIdentity(registry, name)

	listener, err := listenSparing(host, o.metricsPort)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics",
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true, ErrorLog: logger}))
	mux.HandleFunc("POST /gc", collectGarbage)
	m := &metricsServer{
		http: &http.Server{
			Handler:        ownOnly(host, listener.waits.whole(mux)),
			ReadTimeout:    pageBound,
			WriteTimeout:   pageBound,
			IdleTimeout:    pageIdleBound,
			MaxHeaderBytes: 8 << 10,
			ErrorLog:       logger,
			ConnContext:    withPageConnection,
			ConnState:      listener.waits.changed,
		},
		listener: listener,
	}
	if o.hiccupMeter == switchedOn {
		m.hiccups = startHiccupMeter(registry)
	}
	go func() {
		if err := m.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			logger.Printf("the metrics page ended: %v; the echo goes on, but nobody sees its counters", err)
		}
	}()
	return m, nil
}

func (m *metricsServer) port() int { return m.listener.Addr().(*net.TCPAddr).Port }

func (m *metricsServer) close() {
	m.http.Close() // Its error would be of a socket that nobody uses any more.
	m.listener.dropSpares()
	if m.hiccups != nil {
		m.hiccups.close()
	}
}

// registerIdentity tells which server this is.
func registerIdentity(registry *prometheus.Registry, name string) {
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "echo_server_info",
		Help:        "Which server this is: its name and process id.",
		ConstLabels: prometheus.Labels{"server": name, "pid": strconv.Itoa(os.Getpid())},
	}, func() float64 { return 1 }))
}

// registerCounts puts the contract's names on the page. All are read when the page is asked for; an echo costs two
// atomic additions and no look-up.
func registerCounts(registry *prometheus.Registry, c *counts) {
	counter := func(name, help string, read func() int64) {
		registry.MustRegister(prometheus.NewCounterFunc(
			prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return float64(read()) }))
	}
	gauge := func(name, help string, read func() int64) {
		registry.MustRegister(prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(read()) }))
	}
	counter("echo_connections_accepted_total", "Connections accepted since the start.", c.accepted.Load)
	counter("echo_received_bytes_total", "Bytes read from connections.", c.received)
	counter("echo_sent_bytes_total", "Bytes written to connections.", c.sent)
	gauge("echo_connections_open", "Connections accepted and not yet closed.", func() int64 { return int64(c.open()) })
	for reason, count := range c.acceptErrors {
		registry.MustRegister(acceptErrorCounter(reason, count))
	}
	if c.push == nil {
		return
	}
	counter("echo_push_published_total", "Publishes received.", c.push.published.Load)
	counter("echo_push_messages_total", "Messages whose last byte the kernel took.", c.messages)
	counter("echo_push_dropped_total", "Messages that were handed to a connection and not written whole.", c.dropped)
	counter("echo_push_disconnected_total", "Connections ended because their queue was full.", c.push.disconnected.Load)
	counter("echo_push_malformed_total", "Connections ended because they sent what is no frame.", c.push.malformed.Load)
	gauge("echo_push_subscriptions", "Subscriptions of all connections.", c.push.subscriptions.Load)
	gauge("echo_push_queued_bytes", "Bytes of frames that wait, or are being written.", c.queued)
}

func acceptErrorCounter(reason string, count *atomic.Int64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name:        "echo_accept_errors_total",
		Help:        "Failed accepts by errno; each is followed by a pause.",
		ConstLabels: prometheus.Labels{"reason": reason},
	}, func() float64 { return float64(count.Load()) })
}

// collectGarbage collects twice, as what a finalizer or a pool holds is free only for the second time, and answers what
// lives.
func collectGarbage(w http.ResponseWriter, _ *http.Request) {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]uint64{ // An error is the asker's going away.
		"live_heap_bytes": m.HeapAlloc,
		"stack_bytes":     m.StackInuse,
	})
}
