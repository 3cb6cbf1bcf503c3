// Command go-echo is an echo server in the way of Go: a goroutine per connection that reads and writes as if it blocked.
// Built with the tag netpoll it is go-netpoll: the same program around an event loop, see netpoll.go.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	exitDone        = 0
	exitBadUsage    = 2
	exitCouldNotRun = 3
	seeTheOptions   = "see " + serverName + " --help"
)

// server is what is spoken on the connections.
type server interface {
	// serve accepts and echoes until drain is called.
	serve()
	// drain stops accepting, lets what was received be echoed and returns once every connection is closed: by itself,
	// or, when the time is over, by force. It returns the number of the latter.
	drain(limit time.Duration) int
}

// readyLine is what the harness reads from stdout; the names are a contract shared by all servers.
type readyLine struct {
	Ready       bool           `json:"ready"`
	Server      string         `json:"server"`
	PID         int            `json:"pid"`
	Host        string         `json:"host"`
	Port        int            `json:"port"`
	MetricsPort int            `json:"metrics_port"`
	Config      map[string]any `json:"config"`
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, log.New(os.Stderr, serverName+": ", log.LstdFlags|log.Lmicroseconds)))
}

func run(args []string, stdin io.Reader, stdout io.Writer, logger *log.Logger) int {
	o, err := parseOptions(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	}
	if err != nil {
		logger.Printf("%v; %s", err, seeTheOptions)
		return exitBadUsage
	}
	if o.gomaxprocs > 0 {
		runtime.GOMAXPROCS(o.gomaxprocs)
	}
	debug.SetGCPercent(o.gogc)

	// Before the first connection: a signal that comes early stops the server as a late one does.
	stop, release := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer release()

	tls, err := o.model.tlsConfig()
	if err != nil {
		logger.Print(err)
		return exitCouldNotRun
	}
	counts := newCounts()
	listener, err := listen(o.host, o.port, o.backlog, counts, logger)
	if err != nil {
		logger.Print(err)
		return exitCouldNotRun
	}
	if err := listener.endsOfGonePeers(o.keepAlive == switchedOn, o.userTimeoutMs); err != nil {
		listener.Close()
		logger.Print(err)
		return exitCouldNotRun
	}
	var echo server
	switch o.protocol {
	case protocolHTTP:
		echo = newHTTPServerOf(listener, counts, &o, logger, tls)
	case protocolWebSocket:
		echo = newWebSocketServerOf(listener, counts, &o, tls)
	default:
		if echo, err = newTCPServer(listener, counts, &o, logger, tls); err != nil {
			listener.Close()
			logger.Print(err)
			return exitCouldNotRun
		}
	}
	metrics, err := startMetrics(&o, o.server, counts, logger)
	if err != nil {
		listener.Close()
		logger.Print(err)
		return exitCouldNotRun
	}
	defer metrics.close()
	go echo.serve()

	ready := readyLine{true, o.server, os.Getpid(), o.host, listener.port(), metrics.port(), config(o, listener)}
	if err := json.NewEncoder(stdout).Encode(ready); err != nil {
		logger.Printf("could not write the ready line to stdout: %v; nobody can learn the port, so stopping", err)
		echo.drain(0)
		return exitCouldNotRun
	}

	select {
	case <-stop.Done():
	case <-ended(o.stopOnStdinEOF, stdin):
	}
	release() // From here on a second signal ends the process at once.
	if left := echo.drain(o.drain); left > 0 {
		logger.Printf("drain: %d connections were still open after %s and were closed; a longer --drain waits longer",
			left, o.drain)
	}
	return exitDone
}

// ended is closed when stdin ends; where that does not matter it is nil, which never is.
func ended(watch bool, stdin io.Reader) <-chan struct{} {
	if !watch {
		return nil
	}
	eof := make(chan struct{})
	go func() {
		defer close(eof)
		io.Copy(io.Discard, stdin) // An error ends stdin as much as EOF does.
	}()
	return eof
}

// nameOf is the name of the server.yaml that starts this program for a protocol.
func nameOf(protocol string) string {
	if protocol == protocolTCP {
		return serverName
	}
	return "go-" + protocol
}

// cpusAllowed is the list of processors that this process may run on, as the kernel writes it.
func cpusAllowed() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(status)) {
		if list, found := strings.CutPrefix(line, "Cpus_allowed_list:"); found {
			return strings.TrimSpace(list)
		}
	}
	return "unknown"
}

// config is every option in force and, beside it, what really runs.
func config(o options, l *listener) map[string]any {
	var nofile unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &nofile); err != nil {
		panic(fmt.Sprintf("getrlimit(RLIMIT_NOFILE) of the own process: %v", err)) // The kernel has no case for it.
	}
	c := map[string]any{
		"protocol":          o.protocol,
		"entry":             o.entry,
		"backlog":           o.backlog,
		"backlog_in_force":  l.backlogInForce,
		"drain":             o.drain.String(),
		"stop_on_stdin_eof": o.stopOnStdinEOF,
		"cpus":              cpusAllowed(),
		"gomaxprocs":        runtime.GOMAXPROCS(0),
		"gogc":              o.gogc,
		"godebug":           os.Getenv("GODEBUG"),
		"hiccup_meter":      o.hiccupMeter,
		"gomemlimit":        cmp.Or(os.Getenv("GOMEMLIMIT"), "unset"),
		"gomemlimit_bytes":  debug.SetMemoryLimit(-1),
		"go_version":        runtime.Version(),
		"tcp_nodelay":       true,
		"keep_alive":        o.keepAlive,
		"tcp_keepalive":     o.keepAlive == switchedOn,
		"user_timeout_ms":   o.userTimeoutMs,
		"mptcp":             false,
		// Go raises the soft limit to the hard one before main runs.
		"nofile_soft": nofile.Cur,
		"nofile_hard": nofile.Max,
	}
	if o.protocol == protocolHTTP {
		c["max_body_bytes"] = maxBodyBytes
		o.model.httpConfig(c)
	} else {
		c[strings.ReplaceAll(bufferBytesFlag, "-", "_")] = o.bufferBytes
	}
	if o.protocol == protocolWebSocket {
		c[strings.ReplaceAll(maxMessageBytesFlag, "-", "_")] = o.maxMessageBytes
		o.model.httpConfig(c)
	}
	if o.protocol == protocolTCP {
		o.model.config(c)
	}
	return c
}
