package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workloadtest"
)

// asJava tells a test binary to be the program java: with the server's protocol, but without a JVM, which is not there when
// this module is tested. The module workloads starts the program with the true one.
const asJava = "ECHOLADDER_TEST_AS_JAVA"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-Xmx512m" && os.Getenv(asJava) != "" {
		serve()
	}
	workloadtest.Main(m, main)
}

func serve() {
	ms, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		os.Exit(2)
	}
	if os.Getenv(asJava) == "broken" {
		os.Exit(1)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(2)
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // Whoever started it may be killed, as with the true one.
		os.Exit(0)
	}()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	for {
		connection, err := listener.Accept()
		if err != nil {
			os.Exit(2)
		}
		go func() {
			defer connection.Close()
			asked := make([]byte, 1)
			if _, err := connection.Read(asked); err != nil {
				return
			}
			if asked[0] == waits {
				time.Sleep(time.Duration(ms) * time.Millisecond)
			}
			_, _ = connection.Write([]byte{1}) // The other side may have gone.
		}()
	}
}

func run(t *testing.T, as string, args ...string) workloadtest.Ended {
	t.Helper()
	t.Setenv(asJava, as)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return workloadtest.Run(t, append(args, "--java", own, "--server-classes", "none")...)
}

func TestGoroutinesComputeAndThenWaitForTheServer(t *testing.T) {
	for _, c := range []struct {
		together string
		least    float64
	}{{"0", 100e6}, {"10", 400e6}} { // Ten at once need four rounds of 100 ms each.
		ended := run(t, "server", "--tasks", "40", "--fibonacci", "10", "--wait", "100ms", "--at-once", c.together)
		if ended.Status != 0 {
			t.Fatalf("status %d, %v %s", ended.Status, ended.Figures, ended.Messages)
		}
		for name, want := range map[string]any{
			"tasks_ended": 40.0, "task_time_count": 40.0, "start_delay_count": 40.0, "settled_at": "end", "wait_ns": 100e6,
		} {
			if ended.Figures[name] != want {
				t.Errorf("%s is %v, expected %v", name, ended.Figures[name], want)
			}
		}
		wall := ended.Figures["wall_ns"].(float64)
		if got := ended.Figures["tasks_per_s"].(float64) * wall / 40e9; wall < c.least || got < 0.999 || got > 1.001 {
			t.Errorf("at once %s: %v ns, %v", c.together, wall, got)
		}
		points := ended.Figures["over_time"].(map[string]any)
		if len(points["rss_bytes"].([]any)) == 0 {
			t.Errorf("no points over time: %v", points)
		}
	}
}

func TestAskedForAHundredMillionUnderASmallLimitItStopsItself(t *testing.T) {
	ended := run(t, "server", "--tasks", "100000000", "--fibonacci", "1", "--warm-up", "0", "--memory-limit", "64M")
	if ended.Status != 1 {
		t.Fatalf("status %d, %v", ended.Status, ended.Figures)
	}
	// Each waits with a connection, so where few descriptors are allowed they are what there is not enough of.
	if !strings.Contains(ended.Messages, "mixed: memory-guard: stopped itself: it holds") &&
		!strings.Contains(ended.Messages, "too many open files") {
		t.Errorf("messages: %s", ended.Messages)
	}
}

func TestAServerThatDoesNotStartIsSaid(t *testing.T) {
	ended := run(t, "broken", "--tasks", "10")
	if ended.Status != 1 || !strings.Contains(ended.Messages, "ended before it told its port") {
		t.Errorf("status %d: %s", ended.Status, ended.Messages)
	}
	missing := workloadtest.Run(t, "--java", "/none/java")
	if missing.Status != 2 || !strings.Contains(missing.Messages, "the local server is a Java program, and there is no java") {
		t.Errorf("status %d: %s", missing.Status, missing.Messages)
	}
}
