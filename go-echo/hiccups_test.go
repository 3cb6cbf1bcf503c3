package main

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

func TestALongHiccupIsWhatManySleepersWouldHaveSeen(t *testing.T) {
	m := hiccupMeter{overruns: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "a", Buckets: hiccupBounds()})}
	m.overslept(35 * time.Millisecond)
	m.overslept(-time.Microsecond)
	var got dto.Metric
	if err := m.overruns.Write(&got); err != nil {
		t.Fatal(err)
	}
	// 35, 25, 15 and 5 ms, and nothing.
	if count, sum := got.Histogram.GetSampleCount(), got.Histogram.GetSampleSum(); count != 5 || sum < 0.0799 || sum > 0.0801 {
		t.Errorf("%d overruns of together %v s", count, sum)
	}
	bounds := got.Histogram.GetBucket()
	if first, last := bounds[0].GetUpperBound(), bounds[len(bounds)-1].GetUpperBound(); first != 0.0001 || last != 100 {
		t.Errorf("bounds from %v to %v s", first, last)
	}
}

func TestTheMeterIsOnThePage(t *testing.T) {
	r := start(t, 0)
	await(t, "wake-ups", func() bool { return r.metric(t, "echo_hiccup_seconds_count") > 3 })
	await(t, "their CPU", func() bool { return r.metric(t, "echo_hiccup_cpu_seconds_total") > 0 })
}

func TestTheMeterCanBeSwitchedOff(t *testing.T) {
	r := start(t, 0, "--hiccup-meter", "off")
	if page := r.page(t); strings.Contains(page, "hiccup") {
		t.Errorf("a meter is on the page:\n%s", page)
	}
	if r.Config["hiccup_meter"] != "off" {
		t.Errorf("the ready line says %v", r.Config["hiccup_meter"])
	}
}
