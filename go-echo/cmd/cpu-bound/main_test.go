package main

import (
	"testing"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

// The guards keep watching beside more goroutines that compute than there are processors.
func TestItStopsItselfAtItsTimeLimitHoweverMuchComputes(t *testing.T) {
	begun := time.Now()
	ended := workloadtest.Run(t, "--tasks", "20000", "--fibonacci", "40", "--warm-up", "0", "--time-limit", "2s")
	if ended.Status != 1 || ended.Figures["ended_by"] != "time-guard" {
		t.Errorf("status %d, %v", ended.Status, ended.Figures)
	}
	// Tens of thousands of them, for 10 ms each, take minutes to have their turns.
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("took %s to stop after 2 s", took)
	}
}

func TestAskedForAHundredMillionUnderASmallLimitItStopsItself(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "100000000", "--fibonacci", "1", "--memory-limit", "64M", "--time-limit", "20s")
	if ended.Status != 1 || ended.Figures["ended_by"] != "memory-guard" && ended.Figures["ended_by"] != "time-guard" {
		t.Errorf("status %d, %v", ended.Status, ended.Figures)
	}
}

func TestEachGoroutineComputes(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "300", "--fibonacci", "15", "--warm-up", "10")
	if ended.Status != 0 || ended.Figures["tasks_ended"] != 300.0 || ended.Figures["task_time_count"] != 300.0 {
		t.Fatalf("status %d, %v", ended.Status, ended.Figures)
	}
	perSecond := 300e9 / ended.Figures["wall_ns"].(float64)
	if got := ended.Figures["tasks_per_s"].(float64); got < perSecond*0.999 || got > perSecond*1.001 {
		t.Errorf("%v tasks per second, expected %v", got, perSecond)
	}
}
