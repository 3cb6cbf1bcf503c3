package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"time"
)

// options is the command line. The common ones have the same names and defaults in every server of Echo Ladder.
type options struct {
	server          string
	protocol        string
	host            string
	port            int
	metricsPort     int
	backlog         int
	drain           time.Duration
	stopOnStdinEOF  bool
	bufferBytes     int
	maxMessageBytes int
	gomaxprocs      int
	gogc            int
	keepAlive       string
	userTimeoutMs   int
	hiccupMeter     string
	entry           string
	model           modelOptions
}

const (
	// allOfLoopback, as a value of --host, is every address of loopback, and nothing that comes from another host.
	allOfLoopback     = "127.0.0.0/8"
	serverFlag        = "server"
	protocolTCP       = "tcp"
	protocolHTTP      = "http"
	protocolWebSocket = "websocket"
	entryStock        = "stock"
	entryTuned        = "tuned"
	switchedOn        = "on"
	switchedOff       = "off"
)

const usage = serverName + ` echoes what it receives, ` + model + `.

Usage: ` + serverName + ` [options]

`

const example = `
Example, echo on port 9000 and a scrape of its counters:
  ` + serverName + ` --port 9000 --metrics-port 9100
  curl http://127.0.0.1:9100/metrics

When it can accept, it prints one JSON line with its ports and its configuration on stdout; all else goes to stderr.
Exit status: 0 stopped by SIGTERM or SIGINT, 2 bad option, 3 could not run.
`

var folderName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// parseOptions reads the command line. Asking for help is flag.ErrHelp, with the help already written to help; every
// other error names the option, the value and what is allowed.
func parseOptions(args []string, help io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet(serverName, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.server, serverFlag, "",
		"what the ready line and the metrics page call it, of another server.yaml; its own name unless given")
	flags.StringVar(&o.protocol, "protocol", protocolTCP,
		"what is spoken: tcp, http (POST /echo, GET /api/light, GET /api/heavy?duration=MS) or websocket (/echo)")
	flags.StringVar(&o.host, "host", "127.0.0.1", "address to listen on, of the echo and of the metrics; "+
		allOfLoopback+" = every address of loopback for the echo, 127.0.0.1 for the metrics")
	flags.IntVar(&o.port, "port", 0, "port to listen on, 0 = any free one")
	flags.IntVar(&o.metricsPort, "metrics-port", 0, "port of GET /metrics and POST /gc, 0 = any free one")
	flags.IntVar(&o.backlog, "backlog", 4096, "length of the accept queue; the kernel caps it at net.core.somaxconn")
	flags.DurationVar(&o.drain, "drain", 5*time.Second, "how long to let open connections finish when told to stop")
	flags.BoolVar(&o.stopOnStdinEOF, "stop-on-stdin-eof", false, "stop, as on SIGTERM, when stdin ends")
	flags.IntVar(&o.bufferBytes, bufferBytesFlag, defaultBufferBytes, "tcp: "+bufferBytesMeaning+
		"; websocket: bytes read at once")
	flags.IntVar(&o.maxMessageBytes, maxMessageBytesFlag, defaultMaxMessageBytes,
		"websocket: largest message; a larger one ends its connection with 1009")
	flags.IntVar(&o.gomaxprocs, "gomaxprocs", 0, "threads that run Go code at once, 0 = as the Go runtime chooses")
	flags.IntVar(&o.gogc, "gogc", currentGOGC(), "heap growth in percent that starts a collection, -1 = never; as GOGC")

	flags.StringVar(&o.keepAlive, "keep-alive", switchedOff,
		"on or off: whether the kernel probes connections that are silent (SO_KEEPALIVE)")
	flags.IntVar(&o.userTimeoutMs, "user-timeout-ms", 0,
		"how long what was sent may stay unacknowledged until the connection ends (TCP_USER_TIMEOUT), 0 = as net.ipv4.tcp_retries2 has it")
	flags.StringVar(&o.hiccupMeter, "hiccup-meter", switchedOn,
		"on or off: whether a thread of this process measures for how long the process stood still")
	flags.StringVar(&o.entry, "entry", entryStock,
		"stock or tuned: what its options make of it, for the record; sets nothing")
	o.model.flags(flags)

	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(help, usage)
		flags.SetOutput(help)
		flags.PrintDefaults()
		fmt.Fprint(help, example)
		return o, err
	case err != nil:
		return o, err
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q: there are only options, --name value", flags.Arg(0))
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if given[bufferBytesFlag] && o.protocol == protocolHTTP {
		return o, errors.New("--" + bufferBytesFlag + " is for --protocol tcp and websocket: net/http has buffers of its own")
	}
	if given[maxMessageBytesFlag] && o.protocol != protocolWebSocket {
		return o, errors.New("--" + maxMessageBytesFlag + " is for --protocol websocket")
	}
	if !given[serverFlag] {
		o.server = nameOf(o.protocol)
	}
	return o, o.check()
}

// optionRange is a number of the command line and what it may be.
type optionRange struct {
	name            string
	value, min, max int
}

func (o *options) check() error {
	if o.protocol != protocolTCP && o.protocol != protocolHTTP && o.protocol != protocolWebSocket {
		return fmt.Errorf("--protocol %s is not known; tcp, http or websocket", o.protocol)
	}
	if !folderName.MatchString(o.server) {
		return fmt.Errorf("--%s %q is no name of a folder of servers/: lower-case letters, digits and '-', at most 64", serverFlag, o.server)
	}
	for _, s := range [][2]string{{"hiccup-meter", o.hiccupMeter}, {"keep-alive", o.keepAlive}} {
		if s[1] != switchedOn && s[1] != switchedOff {
			return fmt.Errorf("--%s %s is not known; on or off", s[0], s[1])
		}
	}
	if o.entry != entryStock && o.entry != entryTuned {
		return fmt.Errorf("--entry %s is not known; stock or tuned", o.entry)
	}
	if err := o.model.check(); err != nil {
		return err
	}
	for _, r := range append(o.model.ranges(), []optionRange{
		{"port", o.port, 0, 65535},
		{"metrics-port", o.metricsPort, 0, 65535},
		{"backlog", o.backlog, 1, 1 << 30},
		{bufferBytesFlag, o.bufferBytes, 1, 16 << 20},
		{maxMessageBytesFlag, o.maxMessageBytes, 1, 64 << 20},
		{"gomaxprocs", o.gomaxprocs, 0, 1024},
		{"gogc", o.gogc, -1, 10_000},
		{"user-timeout-ms", o.userTimeoutMs, 0, 3_600_000},
	}...) {
		if r.value < r.min || r.value > r.max {
			return fmt.Errorf("--%s %d is not allowed; %d to %d", r.name, r.value, r.min, r.max)
		}
	}
	if o.drain < 0 || o.drain > time.Hour {
		return fmt.Errorf("--drain %s is not allowed; 0s to 1h, e.g. 500ms, 5s or 1m", o.drain)
	}
	if o.host == "" {
		return errors.New("--host is empty; an address of this host, e.g. 127.0.0.1, or 0.0.0.0 for all of them")
	}
	return nil
}

// metricsHost is where the metrics page listens.
func (o *options) metricsHost() string {
	if o.host == allOfLoopback {
		return "127.0.0.1"
	}
	return o.host
}

// currentGOGC is what the environment variable GOGC, or its absence, has set.
func currentGOGC() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}
