package main

import (
	"testing"

	"echoladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

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
