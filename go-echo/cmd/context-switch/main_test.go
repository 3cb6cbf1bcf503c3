package main

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

func TestGoroutinesMakeWayForEachOther(t *testing.T) {
	for _, by := range []string{byYield, byToken} {
		ended := workloadtest.Run(t, "--threads", "20", "--switches", "2010", "--warm-up", "100", "--by", by)
		if ended.Status != 0 || ended.Figures["ended_by"] != "done" {
			t.Fatalf("%s: status %d, %v %s", by, ended.Status, ended.Figures, ended.Messages)
		}
		for name, want := range map[string]any{
			"start_delay_count": 20.0, "task_time_count": 20.0, "model": "goroutine", "settled_at": "end",
			"gomaxprocs": float64(runtime.GOMAXPROCS(0)),
		} {
			if ended.Figures[name] != want {
				t.Errorf("%s: %s is %v, expected %v", by, name, ended.Figures[name], want)
			}
		}
		switches, wall := ended.Figures["switches"].(float64), ended.Figures["wall_ns"].(float64)
		atOnce := float64(min(20, runtime.GOMAXPROCS(0)))
		if by == byToken {
			atOnce = 1
		}
		if switches < 2010 || wall < 500e6 || math.Abs(ended.Figures["per_switch_ns"].(float64)*switches/wall/atOnce-1) > 0.001 {
			t.Errorf("%s: %v", by, ended.Figures)
		}
		if by == byYield {
			share := ended.Figures["switches_seen"].(float64) / ended.Figures["switches_seen_of"].(float64)
			if ended.Figures["switches_seen_per_yield"] != share || share <= 0 || share > 1 {
				t.Errorf("share %v of %v", share, ended.Figures)
			}
		}
	}
}

// On one thread two goroutines that yield take turns.
func TestYieldsOnOneThreadSwitch(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1")
	ended := workloadtest.Run(t, "--threads", "2", "--switches", "2010", "--warm-up", "100")
	if share, _ := ended.Figures["switches_seen_per_yield"].(float64); share < 0.9 || ended.Figures["gomaxprocs"] != 1.0 {
		t.Errorf("status %d, %v %s", ended.Status, ended.Figures, ended.Messages)
	}
}

func TestAskedForAHundredMillionUnderASmallLimitItStopsItself(t *testing.T) {
	ended := workloadtest.Run(t, "--threads", "100000000", "--memory-limit", "200M")
	if ended.Status != 1 || ended.Figures["ended_by"] != "memory-guard" {
		t.Fatalf("status %d, %v", ended.Status, ended.Figures)
	}
	if !strings.Contains(ended.Messages, "context-switch: memory-guard: stopped itself: it holds") {
		t.Errorf("messages: %s", ended.Messages)
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	for args, complaint := range map[string]string{
		"--threads 1":            "--threads 1 is not allowed; 2 to 100000000",
		"--threads 2 --by force": `--by "force" is not known; yield or token`,
	} {
		ended := workloadtest.Run(t, strings.Fields(args)...)
		if ended.Status != 2 || ended.Figures != nil || !strings.Contains(ended.Messages, complaint) {
			t.Errorf("%s: status %d, %v, %s", args, ended.Status, ended.Figures, ended.Messages)
		}
	}
}
