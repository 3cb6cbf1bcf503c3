// Package workloadtest starts workloads in tests as a user does.
package workloadtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
)

// Ended is how a workload ended: its exit status, its line of JSON, its messages.
type Ended struct {
	Status   int
	Figures  map[string]any
	Messages string
}

// asProgram tells a test binary to be the program that it tests, which saves building that.
const asProgram = "ECHOLADDER_TEST_AS_PROGRAM"

// Main is the TestMain of a workload, whose main this is.
func Main(m *testing.M, program func()) {
	if os.Getenv(asProgram) != "" {
		program()
	}
	os.Exit(m.Run())
}

// Run starts the program and waits for its end.
func Run(t *testing.T, args ...string) Ended {
	t.Helper()
	var out bytes.Buffer
	ended := RunTo(t, &out, args...)
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &ended.Figures); err != nil {
			t.Fatalf("not a line of JSON: %v: %s", err, out.Bytes())
		}
	}
	return ended
}

// RunTo starts the program with that stdout and waits for its end.
func RunTo(t *testing.T, stdout io.Writer, args ...string) Ended {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	command := exec.Command(own, args...)
	command.Env = append(os.Environ(), asProgram+"=1")
	command.Stdout, command.Stderr = stdout, &messages
	err = command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return Ended{Status: command.ProcessState.ExitCode(), Messages: messages.String()}
}
