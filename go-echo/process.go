package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"
)

// processCollector gives the CPU time and the resident memory of this process. It replaces the library's own, which
// lists /proc/self/fd to count descriptors at each scrape: work that grows with the connections, in the middle of
// what is measured, and that fails when there is no descriptor left. This one opens nothing after its start.
type processCollector struct {
	statm                *os.File
	pageBytes            float64
	startSeconds         float64
	cpu, resident, start *prometheus.Desc
}

func newProcessCollector() (*processCollector, error) {
	statm, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil, fmt.Errorf("resident memory is read from /proc/self/statm: %w; is /proc mounted?", err)
	}
	return &processCollector{
		statm:        statm,
		pageBytes:    float64(os.Getpagesize()),
		startSeconds: float64(time.Now().UnixMilli()) / 1e3,
		cpu: prometheus.NewDesc("process_cpu_seconds_total",
			"CPU time of all threads, user and system, by the kernel's nanosecond clock.", nil, nil),
		resident: prometheus.NewDesc("process_resident_memory_bytes", "Resident set size.", nil, nil),
		start: prometheus.NewDesc("process_start_time_seconds",
			"When this process began to serve its page, since the epoch.", nil, nil),
	}, nil
}

func (p *processCollector) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- p.cpu
	descriptions <- p.resident
	descriptions <- p.start
}

func (p *processCollector) Collect(metrics chan<- prometheus.Metric) {
	metrics <- prometheus.MustNewConstMetric(p.start, prometheus.GaugeValue, p.startSeconds)
	if seconds, err := cpuSeconds(); err != nil {
		metrics <- prometheus.NewInvalidMetric(p.cpu, err)
	} else {
		metrics <- prometheus.MustNewConstMetric(p.cpu, prometheus.CounterValue, seconds)
	}
	if pages, err := p.residentPages(); err != nil {
		metrics <- prometheus.NewInvalidMetric(p.resident, err)
	} else {
		metrics <- prometheus.MustNewConstMetric(p.resident, prometheus.GaugeValue, float64(pages)*p.pageBytes)
	}
}

func cpuSeconds() (float64, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0, fmt.Errorf("clock_gettime(CLOCK_PROCESS_CPUTIME_ID): %w", err)
	}
	return float64(t.Sec) + float64(t.Nsec)/1e9, nil
}

// residentPages is the second field of /proc/self/statm, see proc_pid_statm(5).
func (p *processCollector) residentPages() (uint64, error) {
	line := make([]byte, 256)
	n, err := p.statm.ReadAt(line, 0)
	fields := bytes.Fields(line[:n])
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/self/statm gave %q, %v; expected seven numbers", line[:n], err)
	}
	return strconv.ParseUint(string(fields[1]), 10, 64)
}
