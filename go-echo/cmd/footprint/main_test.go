package main

import (
	"os"
	"strings"
	"testing"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

func TestMain(m *testing.M) { workloadtest.Main(m, main) }

func TestADeeperStackTakesMore(t *testing.T) {
	shallow := workloadtest.Run(t, "--tasks", "3000", "--depth", "1").Figures["stack_bytes_per_task"].(float64)
	deep := workloadtest.Run(t, "--tasks", "3000", "--depth", "500").Figures["stack_bytes_per_task"].(float64)
	if shallow < 2_000 || deep < shallow+500*16 {
		t.Errorf("%v bytes of stack at depth 1, %v at 500", shallow, deep)
	}
}

func TestItStopsItselfUnderASmallLimit(t *testing.T) {
	ended := workloadtest.Run(t, "--tasks", "100000000", "--memory-limit", "200M")
	if ended.Status != 1 || ended.Figures["ended_by"] != "memory-guard" {
		t.Errorf("status %d, %v", ended.Status, ended.Figures)
	}
}

func TestAStdoutThatCannotBeWrittenIsStatus3(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for what, args := range map[string][]string{"the figures": {"--tasks", "10"}, "the help": {"--help"}} {
		ended := workloadtest.RunTo(t, full, args...)
		if ended.Status != 3 || !strings.Contains(ended.Messages, ": "+what+" cannot be written to stdout: no space left on device\n") {
			t.Errorf("%s: status %d, %q", what, ended.Status, ended.Messages)
		}
	}
}
