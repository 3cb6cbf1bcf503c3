package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTellsWhatRuns(t *testing.T) {
	r := start(t, 0, "--backlog", "77", "--buffer-bytes", "512", "--gomaxprocs", "1", "--gogc", "200")
	if r.Server != "go-echo" || r.PID != r.command.Process.Pid || r.Port == 0 || r.MetricsPort == 0 {
		t.Errorf("ready line: %+v", r.readyLine)
	}
	for key, want := range map[string]any{
		"backlog": 77.0, "backlog_in_force": 77.0, "buffer_bytes": 512.0, "gomaxprocs": 1.0, "gogc": 200.0,
	} {
		if got := r.Config[key]; got != want {
			t.Errorf("config %s is %v, expected %v", key, got, want)
		}
	}
}

func TestIsCalledAsItsServerYamlSays(t *testing.T) {
	r := start(t, 0, "--server", "my-server")
	if r.Server != "my-server" {
		t.Errorf("ready line: %+v", r.readyLine)
	}
	if info := r.metric(t, fmt.Sprintf(`echo_server_info{pid="%d",server="my-server"}`, r.PID)); info != 1 {
		t.Errorf("echo_server_info is %v", info)
	}
	if _, err := parseOptions([]string{"--server", "../my server"}, io.Discard); err == nil || !strings.Contains(err.Error(), "lower-case letters") {
		t.Errorf("a name that is none was answered by %v", err)
	}
}

func TestCountsWhatItDid(t *testing.T) {
	r := start(t, 0)
	for _, reason := range []string{"emfile", "enfile", "other"} {
		if got := r.metric(t, `echo_accept_errors_total{reason="`+reason+`"}`); got != 0 {
			t.Errorf("%v errors %s before there was any", got, reason)
		}
	}
	c := connect(t, r.address())
	echoOf(t, c, randomBytes(1000))
	// The peer can have the echo before the server has counted it.
	await(t, "the echo counted", func() bool { return r.metric(t, "echo_sent_bytes_total") == 1000 })
	for name, want := range map[string]float64{
		"echo_connections_accepted_total": 1, "echo_connections_open": 1,
		"echo_received_bytes_total": 1000,
	} {
		if got := r.metric(t, name); got != want {
			t.Errorf("%s is %v, expected %v", name, got, want)
		}
	}
	if cpu, resident := r.metric(t, "process_cpu_seconds_total"), r.metric(t, "process_resident_memory_bytes"); cpu <= 0 ||
		resident < 1<<20 {
		t.Errorf("%v s of CPU, %v bytes resident", cpu, resident)
	}
	c.Close()
	await(t, "closed again", func() bool { return r.metric(t, "echo_connections_open") == 0 })
}

func TestCollectsGarbageWhenPosted(t *testing.T) {
	r := start(t, 0)
	response, err := scraper.Post(r.url("/gc"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		LiveHeapBytes *uint64 `json:"live_heap_bytes"`
		StackBytes    *uint64 `json:"stack_bytes"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if answer.LiveHeapBytes == nil || *answer.LiveHeapBytes == 0 || answer.StackBytes == nil || *answer.StackBytes == 0 {
		t.Errorf("answered %+v", answer)
	}
	if got := r.metric(t, "go_gc_duration_seconds_count"); got < 1 {
		t.Errorf("%v collections", got)
	}
	wrong, err := scraper.Get(r.url("/gc"))
	if err != nil {
		t.Fatal(err)
	}
	defer wrong.Body.Close()
	if wrong.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET /gc answered %s, expected 405", wrong.Status)
	}
}

func TestSurvivesRunningOutOfDescriptors(t *testing.T) {
	started := time.Now()
	r := start(t, 64)
	var waiting []net.Conn
	for range 100 { // The kernel completes the handshakes, whether or not they can be accepted.
		waiting = append(waiting, connect(t, r.address()))
	}
	emfile := `echo_accept_errors_total{reason="emfile"}`
	await(t, "EMFILE counted, on a page that answers all the same", func() bool { return r.metric(t, emfile) >= 2 })
	open := r.metric(t, "echo_connections_open")
	if open < 30 || open >= 64 {
		t.Errorf("%v connections are open under a limit of 64 descriptors", open)
	}
	if message := randomBytes(64); !bytes.Equal(echoOf(t, waiting[0].(*net.TCPConn), message), message) {
		t.Error("a connection accepted before has no right echo any more")
	}
	last := waiting[len(waiting)-1].(*net.TCPConn)
	for _, c := range waiting[:80] {
		c.Close()
	}
	if message := randomBytes(64); !bytes.Equal(echoOf(t, last, message), message) {
		t.Error("a connection accepted late has no right echo")
	}
	if got := r.metric(t, "echo_connections_accepted_total"); got != 100 {
		t.Errorf("%v connections accepted of 100", got)
	}
	said := strings.Count(r.stderr.String(), "accept failed")
	if elapsed := time.Since(started); said == 0 || said > 1+int(elapsed/logPause) {
		t.Errorf("said %d times in %s that accept failed", said, elapsed)
	}
}

func TestStopsWhenTold(t *testing.T) {
	for _, how := range []struct {
		name string
		args []string
		stop func(*running) error
	}{
		{"SIGTERM", nil, func(r *running) error { return r.command.Process.Signal(syscall.SIGTERM) }},
		{"SIGINT", nil, func(r *running) error { return r.command.Process.Signal(syscall.SIGINT) }},
		{"end of stdin", []string{"--stop-on-stdin-eof"}, func(r *running) error { return r.stdin.Close() }},
	} {
		t.Run(how.name, func(t *testing.T) {
			r := start(t, 0, how.args...)
			c := connect(t, r.address())
			echoOf(t, c, []byte("before"))
			if err := how.stop(r); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(c); err != nil || len(rest) > 0 {
				t.Errorf("the connection ended with %q, %v; expected a plain EOF", rest, err)
			}
			if status := r.exitStatus(t); status != exitDone {
				t.Errorf("exit status %d", status)
			}
		})
	}
}

func TestRefusesWhatItCannotDo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	for _, refused := range []struct {
		args   string
		status int
		says   string
	}{
		{"--no-such-option", exitBadUsage, "no-such-option"},
		{"--port 65536", exitBadUsage, "0 to 65535"},
		{"--port -1", exitBadUsage, "0 to 65535"},
		{"--port x", exitBadUsage, "port"},
		{"--buffer-bytes 0", exitBadUsage, "1 to 16777216"},
		{"--backlog 0", exitBadUsage, "backlog"},
		{"--drain 5", exitBadUsage, "drain"},
		{"--drain -5s", exitBadUsage, "0s to 1h"},
		{"--protocol smtp", exitBadUsage, "tcp, http or websocket"},
		{"--protocol http --buffer-bytes 64", exitBadUsage, "buffer-bytes"},
		{"--max-message-bytes 64", exitBadUsage, "websocket"},
		{"--protocol websocket --max-message-bytes 0", exitBadUsage, "1 to 67108864"},
		{"left over", exitBadUsage, "left"},
		{"--host=", exitBadUsage, "--host"},
		{"--port " + port, exitCouldNotRun, "address already in use"},
		{"--metrics-port " + port, exitCouldNotRun, "address already in use"},
		{"--host 192.0.2.1", exitCouldNotRun, "cannot assign requested address"},
	} {
		t.Run(refused.args, func(t *testing.T) {
			c := command(0, strings.Fields(refused.args)...)
			var stdout, stderr bytes.Buffer
			c.Stdout, c.Stderr = &stdout, &stderr
			c.Run()
			if c.ProcessState.ExitCode() != refused.status || !strings.Contains(stderr.String(), refused.says) {
				t.Errorf("exit status %d, stderr %q", c.ProcessState.ExitCode(), stderr.String())
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout has %q", stdout.String())
			}
		})
	}
}

func TestHelpNamesEveryOptionAndHasAnExample(t *testing.T) {
	out, err := command(0, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{
		"-host", "-port", "-metrics-port", "-backlog", "-drain", "-stop-on-stdin-eof", "-buffer-bytes", "Example",
	} {
		if !strings.Contains(string(out), word) {
			t.Errorf("the help does not tell %s", word)
		}
	}
}
