package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Tests start the server as the process that it is for its users: this test binary, told by the
// environment to be go-echo.
const beTheServer = "GO_ECHO_TEST_BE_THE_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(beTheServer) != "" {
		main()
	}
	os.Exit(m.Run())
}

// running is a server process that has said that it is ready.
type running struct {
	readyLine
	command *exec.Cmd
	stdin   io.Closer
	stderr  *lockedBuffer
}

// command runs the server under `ulimit -n nofile`; 0 leaves the limit.
func command(nofile int, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	if nofile > 0 {
		// Soft and hard: Go raises the soft limit to the hard one when it starts.
		script := fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, nofile)
		c = exec.Command("sh", append([]string{"-c", script, os.Args[0]}, args...)...)
	}
	c.Env = append(os.Environ(), beTheServer+"=1")
	return c
}

func start(t *testing.T, nofile int, args ...string) *running {
	t.Helper()
	r := &running{command: command(nofile, args...), stderr: &lockedBuffer{}}
	r.command.Stderr = r.stderr
	stdin, err := r.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := r.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	r.stdin = stdin
	t.Cleanup(func() {
		if r.command.ProcessState == nil {
			r.command.Process.Kill()
			r.command.Wait()
		}
		t.Logf("stderr of the server:\n%s", r.stderr)
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		t.Fatalf("no ready line: %v", err)
	}
	if err := json.Unmarshal(line, &r.readyLine); err != nil || !r.Ready {
		t.Fatalf("the ready line %q is not one: %v", line, err)
	}
	return r
}

func (r *running) address() string { return net.JoinHostPort(r.Host, strconv.Itoa(r.Port)) }

func (r *running) url(path string) string {
	return fmt.Sprintf("http://%s:%d%s", r.Host, r.MetricsPort, path)
}

// scraper makes a connection of its own for each request.
var scraper = http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}

// page is the text of the metrics page.
func (r *running) page(t *testing.T) string {
	t.Helper()
	response, err := scraper.Get(r.url("/metrics"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// metric reads one value from the metrics page.
func (r *running) metric(t *testing.T, name string) float64 {
	t.Helper()
	page := r.page(t)
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no %s in\n%s", name, page)
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func (r *running) exitStatus(t *testing.T) int {
	t.Helper()
	exited := make(chan error, 1)
	go func() { exited <- r.command.Wait() }()
	select {
	case err := <-exited:
		var status *exec.ExitError
		if err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
	case <-time.After(patience):
		t.Fatal("the server did not end")
	}
	return r.command.ProcessState.ExitCode()
}

// lockedBuffer is written by the copier of os/exec while the test reads it.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
