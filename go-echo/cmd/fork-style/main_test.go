package main

import (
	"strings"
	"testing"

	"echoladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

func TestEveryStyleComputesEveryCall(t *testing.T) {
	// Of size 9 the recursion has 109 calls, of which 54 have two halves.
	for style, forksPerCall := range map[string]float64{
		sequential: 0, threadPerCall: 54, sharedExecutor: 54, overCalls: 0, bounded: 0,
	} {
		ended := workloadtest.Run(t, "--style", style, "--fibonacci", "9", "--calls", "20", "--warm-up", "2")
		if ended.Status != 0 || ended.Figures["calls_ended"] != 20.0 || ended.Figures["call_time_count"] != 20.0 {
			t.Errorf("%s: status %d, %v %s", style, ended.Status, ended.Figures, ended.Messages)
		}
		if ended.Figures["forks"] != 20*forksPerCall {
			t.Errorf("%s: %v forks, expected %v", style, ended.Figures["forks"], 20*forksPerCall)
		}
	}
}

func TestAskedForMoreThanThereIsMemoryForItStopsItself(t *testing.T) {
	for _, style := range []string{threadPerCall, overCalls} {
		ended := workloadtest.Run(t, "--style", style, "--fibonacci", "40", "--calls", "100000000", "--warm-up", "0",
			"--memory-limit", "100M", "--time-limit", "20s")
		// On a busy host it may not get as far as to its memory in that time.
		if ended.Status != 1 || ended.Figures["ended_by"] != "memory-guard" && ended.Figures["ended_by"] != "time-guard" {
			t.Errorf("%s: status %d, %v", style, ended.Status, ended.Figures)
		}
	}
}

func TestAnUnknownStyleIsRefused(t *testing.T) {
	ended := workloadtest.Run(t, "--style", "fast")
	if ended.Status != 2 || !strings.Contains(ended.Messages, `--style "fast" is not known; sequential, thread-per-call`) {
		t.Errorf("status %d: %s", ended.Status, ended.Messages)
	}
}
