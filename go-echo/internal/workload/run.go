package workload

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	exitDone       = 0
	exitEndedEarly = 1
	exitBadUsage   = 2
	// exitCouldNotRun is for /proc that cannot be read, and for a stdout that cannot be written.
	exitCouldNotRun = 3
)

// Program is one workload: its options are flags of Options.
type Program struct {
	Options *Options
	// Check refuses options that are out of range.
	Check func() error
	// Run does it, and writes its figures as it goes.
	Run func(*Guards, *Figures)
	// Progress is what was done so far, for a line on stderr.
	Progress func() string
}

// Main runs one workload in this process and never returns: in the end its figures are one line of JSON on stdout,
// whatever ended it.
func Main(p Program) {
	name := p.Options.Name()
	refuse := func(err error) {
		fmt.Fprintf(os.Stderr, "%s: %v\n%s: see --help\n", name, err, name)
		os.Exit(exitBadUsage)
	}
	var help bytes.Buffer
	if err := p.Options.parse(os.Args[1:], &help); errors.Is(err, flag.ErrHelp) {
		os.Exit(say(name+": the help", help.Bytes(), exitDone))
	} else if err != nil {
		refuse(err)
	}
	if err := p.Check(); err != nil {
		refuse(err)
	}
	sources, err := openSources()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: the guards need /proc: %v\n", name, err)
		os.Exit(exitCouldNotRun)
	}
	now, err := sources.read()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: the guards need /proc: %v\n", name, err)
		os.Exit(exitCouldNotRun)
	}
	memory, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: the guards need /proc: %v\n", name, err)
		os.Exit(exitCouldNotRun)
	}
	limits, err := p.Options.limits(now, after(memory, "MemTotal:")<<10)
	if err != nil {
		refuse(err)
	}

	begun := time.Now()
	figures := &Figures{values: map[string]any{}}
	figures.environment(name, limits, now)
	guards := newGuards(limits, sources)
	var once sync.Once
	tell := func() { once.Do(func() { end(name, guards, figures, begun) }) }
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-signals
		guards.End(Ended{Signal, "interrupted; the figures are those of what was done by then"})
		time.Sleep(5 * time.Second)
		tell()
	}()
	go guards.watch(func() string { return name + ": " + p.Progress() }, tell)
	p.Run(guards, figures)
	tell()
}

// end tells the figures and ends the process: goroutines that still wait hold nobody up.
func end(name string, g *Guards, f *Figures, begun time.Time) {
	by := g.Ended()
	if by.Kind == Done && f.Get("settled_at") == nil {
		f.Put("settled_at", "end")
		f.Settled()
	}
	f.Put("process_ns", time.Since(begun).Nanoseconds())
	f.Put("process_cpu_ns", CPU().Nanoseconds())
	if r, err := g.read(); err == nil {
		f.Put("rss_peak_bytes", r.rssPeak)
		f.Put("os_threads_peak", max(g.threadsPeak.Load(), r.threads))
	}
	f.Put("held_peak_bytes", g.heldPeak.Load())
	f.Put("over_time", g.overTime.points())
	f.Put("ended_by", by.Kind)
	f.Put("ended_detail", by.Detail)
	status := exitDone
	if by.Kind != Done {
		status = exitEndedEarly
	}
	status = say(name+": the figures", append(f.line(), '\n'), status)
	if by.Kind != Done {
		writeAll(unix.Stderr, fmt.Appendf(nil, "%s: %s: %s\n", name, by.Kind, by.Detail))
	}
	os.Exit(status)
}

// say writes a text to stdout. It gives the exit status: the given one, or exitCouldNotRun where the text could not be written. The reader
// of a pipe may go, as head(1) does: that changes nothing.
func say(what string, text []byte, status int) int {
	errno := writeAll(unix.Stdout, text)
	if errno == 0 || errno == unix.EPIPE {
		return status
	}
	writeAll(unix.Stderr, fmt.Appendf(nil, "%s cannot be written to stdout: %v\n", what, errno))
	return exitCouldNotRun
}

// writeAll writes a text, and gives 0 or why not all was written. It keeps its processor, as procFile.read does: what still computes must
// not keep the line back.
func writeAll(descriptor int, text []byte) syscall.Errno {
	for len(text) > 0 {
		n, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(descriptor), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
		if errno != 0 && errno != unix.EINTR {
			return errno
		}
		if errno == 0 {
			text = text[n:]
		}
	}
	return 0
}

// CPU is the time that this process has had so far, of all its threads.
func CPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return 0 // The kernel has no case for it.
	}
	return time.Duration(t.Nano())
}
