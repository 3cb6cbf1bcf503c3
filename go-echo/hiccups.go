package main

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"
)

// hiccupSleep is how long the meter sleeps, in all servers. A part of what a wake-up takes falls to other threads of the
// scheduler and cannot be told from the CPU of echoes: at 1 ms that would be much (docs/decisions/hiccup-meter.md).
const hiccupSleep = 10 * time.Millisecond

// hiccupMost bounds what one overrun takes to record.
const hiccupMost = 100 * time.Second

// hiccupMeter records for how long this process did not run although it wanted to: a thread sleeps, and it counts by
// how much it overslept. What others would have seen of one long hiccup is counted too (itself, less a sleep, less
// two, ...), so that a quantile is a share of time, not of wake-ups.
type hiccupMeter struct {
	overruns prometheus.Histogram
	cpuNs    atomic.Int64
	stop     chan struct{}
}

// startHiccupMeter puts its figures on the page and measures until close.
func startHiccupMeter(registry *prometheus.Registry) *hiccupMeter {
	m := &hiccupMeter{
		overruns: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "echo_hiccup_seconds",
			Help:    "By how much a thread that sleeps 10 ms overslept, and what others would have meanwhile.",
			Buckets: hiccupBounds(),
		}),
		stop: make(chan struct{}),
	}
	registry.MustRegister(m.overruns, prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "echo_hiccup_cpu_seconds_total",
		Help: "CPU of the hiccup meter's thread, which is in process_cpu_seconds_total too.",
	}, func() float64 { return float64(m.cpuNs.Load()) / 1e9 }))
	go m.measure()
	return m
}

// hiccupBounds are the preferred numbers R10 from 100 µs to 100 s, those of all servers.
func hiccupBounds() []float64 {
	tenths := []float64{1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8}
	bounds := make([]float64, 0, 6*len(tenths)+1)
	for decade := range 6 {
		for _, tenth := range tenths {
			bounds = append(bounds, tenth*math.Pow10(decade)/1e4)
		}
	}
	return append(bounds, 100)
}

func (m *hiccupMeter) measure() {
	runtime.LockOSThread() // So that the thread's CPU is the meter's; it ends with the goroutine.
	before := time.Now()
	for {
		sleepOutside(hiccupSleep)
		select {
		case <-m.stop:
			return
		default:
		}
		now := time.Now()
		m.overslept(now.Sub(before) - hiccupSleep)
		before = now
		var cpu unix.Timespec
		if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &cpu) == nil {
			m.cpuNs.Store(cpu.Nano())
		}
	}
}

// overslept records one overrun and what it would have been for those who had begun to sleep within it.
func (m *hiccupMeter) overslept(by time.Duration) {
	for left := min(max(by, 0), hiccupMost); ; {
		m.overruns.Observe(left.Seconds())
		if left -= hiccupSleep; left <= 0 {
			return
		}
	}
}

func (m *hiccupMeter) close() { close(m.stop) }
