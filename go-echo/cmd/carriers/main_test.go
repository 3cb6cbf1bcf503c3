package main

import (
	"testing"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

func TestEveryProbeBegins(t *testing.T) {
	for _, by := range []string{"compute", "native"} {
		ended := workloadtest.Run(t, "--by", by, "--hold", "50ms", "--probes", "20", "--warm-up", "5")
		if ended.Status != 0 || ended.Figures["probes_begun"] != 20.0 || ended.Figures["probe_delay_count"] != 20.0 {
			t.Fatalf("%s: status %d, %v", by, ended.Status, ended.Figures)
		}
		share := ended.Figures["probes_in_hold"].(float64) / 20
		if got := ended.Figures["probes_in_hold_share"].(float64); got != share || share > 1 {
			t.Errorf("%s: a share of %v, where %v began", by, got, ended.Figures["probes_in_hold"])
		}
		if ended.Figures["process_ns"].(float64) < 50e6 {
			t.Errorf("%s: over before the hold was: %v", by, ended.Figures["process_ns"])
		}
	}
}

func TestAnUnknownHoldIsRefused(t *testing.T) {
	if ended := workloadtest.Run(t, "--by", "sleep"); ended.Status != 2 {
		t.Errorf("status %d, %s", ended.Status, ended.Messages)
	}
}
