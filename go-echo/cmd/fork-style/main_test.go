package main

import (
	"strings"
	"testing"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

func TestEveryStyleComputesEveryCall(t *testing.T) {
	// Of size 9 the recursion has 109 calls, of which 54 have two halves.
	for _, c := range []struct {
		style        string
		forksPerCall float64
		more         []string
	}{
		{sequential, 0, nil}, {threadPerCall, 54, nil}, {twoThreadsPerCall, 108, nil}, {sharedExecutor, 54, nil}, {sharedExecutor, 54, []string{"--pool"}},
		{overCalls, 0, nil}, {overCalls, 0, []string{"--pool"}}, {bounded, 0, nil}, {bounded, 0, []string{"--pool", "--permits", "1"}},
	} {
		args := append([]string{"--style", c.style, "--fibonacci", "9", "--calls", "20", "--warm-up", "2"}, c.more...)
		ended := workloadtest.Run(t, args...)
		if ended.Status != 0 || ended.Figures["calls_ended"] != 20.0 || ended.Figures["call_time_count"] != 20.0 {
			t.Errorf("%v: status %d, %v %s", args, ended.Status, ended.Figures, ended.Messages)
		}
		if ended.Figures["forks"] != 20*c.forksPerCall {
			t.Errorf("%v: %v forks, expected %v", args, ended.Figures["forks"], 20*c.forksPerCall)
		}
	}
}

func TestAskedForMoreThanThereIsMemoryForItStopsItself(t *testing.T) {
	for _, style := range [][]string{{threadPerCall}, {overCalls, "--pool"}} {
		ended := workloadtest.Run(t, append([]string{"--style"}, append(style, "--fibonacci", "40", "--calls", "100000000",
			"--warm-up", "0", "--memory-limit", "64M", "--time-limit", "20s")...)...)
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
