package main

import (
	"testing"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

func TestTheDumpHasEveryGoroutine(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "300")
	if ended.Status != 0 || ended.Figures["tasks_parked"] != 300.0 {
		t.Fatalf("status %d, %v", ended.Status, ended.Figures)
	}
	// Those of the program itself are in it too.
	if threads := ended.Figures["dump_threads"].(float64); threads < 301 || threads > 350 {
		t.Errorf("%v goroutines in the dump of 300", threads)
	}
	if ended.Figures["dump_bytes"].(float64) < 300*50 || ended.Figures["dump_ns"].(float64) <= 0 {
		t.Errorf("%v", ended.Figures)
	}
}
