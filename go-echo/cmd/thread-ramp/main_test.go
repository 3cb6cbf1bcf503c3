package main

import (
	"strings"
	"testing"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

// More than any host has memory for at this limit: it must stop by itself, say why and leave its figures.
func TestAskedForAHundredMillionUnderASmallLimitItStopsItself(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "100000000", "--latch", "--memory-limit", "200M")
	if ended.Status != 1 || ended.Figures["ended_by"] != "memory-guard" {
		t.Fatalf("status %d, %v", ended.Status, ended.Figures)
	}
	if !strings.Contains(ended.Messages, "thread-ramp: memory-guard: stopped itself: it holds") {
		t.Errorf("messages: %s", ended.Messages)
	}
	if started := ended.Figures["tasks_started"].(float64); started < 1_000 || started >= 100_000_000 {
		t.Errorf("%v tasks were started", started)
	}
}

func TestAllWaitOnTheLatchAtOnce(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "3000", "--latch", "--warm-up", "10")
	for name, want := range map[string]any{
		"ended_by": "done", "tasks_live_peak": 3000.0, "tasks_ended": 3000.0, "settled_at": "latch", "start_delay_count": 3000.0,
	} {
		if ended.Figures[name] != want {
			t.Errorf("%s is %v, expected %v", name, ended.Figures[name], want)
		}
	}
	if stacks := ended.Figures["go_stack_bytes"].(float64); stacks < 3000*2048 {
		t.Errorf("%v bytes of stacks for 3,000 goroutines of 2 KiB", stacks)
	}
}

func TestSleepersTakeAsLongAsTheySleep(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "500", "--sleep", "200ms")
	if p50 := ended.Figures["task_time_p50_ns"].(float64); p50 < 199e6 {
		t.Errorf("half of them slept less than %v ns, of 200 ms", p50)
	}
}

func TestTheTimeLimitEndsIt(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "10", "--sleep", "10m", "--time-limit", "5s")
	if ended.Status != 1 || ended.Figures["ended_by"] != "time-guard" || ended.Figures["tasks_live_peak"] != 10.0 {
		t.Errorf("status %d, %v", ended.Status, ended.Figures)
	}
}

func TestBadOptionsAreRefusedBeforeAnythingStarts(t *testing.T) {
	for _, c := range []struct{ args, complaint string }{
		{"--tasks 0", "--tasks 0 is not allowed; 1 to 1000000000"},
		{"--tasks 1 --memory-limit 4", `--memory-limit "4" is not allowed`},
		{"--tasks 1 more", `unexpected argument "more"`},
		{"--tasks 1 --time-limit 2h", "--time-limit 2h0m0s is not allowed"},
	} {
		ended := workloadtest.Run(t, strings.Fields(c.args)...)
		if ended.Status != 2 || ended.Figures != nil || !strings.Contains(ended.Messages, c.complaint) {
			t.Errorf("%s: status %d, %v, %s", c.args, ended.Status, ended.Figures, ended.Messages)
		}
	}
}
