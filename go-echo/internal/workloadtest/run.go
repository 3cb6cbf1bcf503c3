// Package workloadtest starts workloads in tests as a user does.
package workloadtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
)

// Ended is how a workload ended: its exit status, its line of JSON, its messages.
type Ended struct {
	Status   int
	Figures  map[string]any
	Messages string
}

// Run builds the program of the working directory and runs it.
func Run(t *testing.T, args ...string) Ended {
	t.Helper()
	program := filepath.Join(t.TempDir(), "workload")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	var out, messages bytes.Buffer
	command := exec.Command(program, args...)
	command.Stdout, command.Stderr = &out, &messages
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	ended := Ended{Status: command.ProcessState.ExitCode(), Messages: messages.String()}
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &ended.Figures); err != nil {
			t.Fatalf("not a line of JSON: %v: %s", err, out.Bytes())
		}
	}
	return ended
}
