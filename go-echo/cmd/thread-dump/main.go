// Command thread-dump lets N goroutines wait, and tells how long a dump of all their stacks takes, how large it is and how
// many goroutines it has. It is the Go form of the Java workload of that name.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

// stacks is the form in which a crashing program writes them, each with a first line of its own.
const stacks = 2

type dump struct {
	tasks  int64
	parked atomic.Int64
	gate   chan struct{}
}

func main() {
	d := &dump{gate: make(chan struct{})}
	o := workload.NewOptions("thread-dump", "thread-dump --tasks 100000")
	o.Int64Var(&d.tasks, "tasks", 0, "how many goroutines, 1 to 100000000; must be given")
	workload.Main(workload.Program{Options: o, Check: d.check, Run: d.run, Progress: d.progress})
}

func (d *dump) check() error {
	return workload.Within("tasks", d.tasks, 1, 100_000_000)
}

func (d *dump) progress() string {
	return fmt.Sprintf("%d of %d parked", d.parked.Load(), d.tasks)
}

func (d *dump) run(g *workload.Guards, f *workload.Figures) {
	f.Put("model", "goroutine")
	f.Put("tasks_requested", d.tasks)
	started := int64(0)
	for ; started < d.tasks && !g.Stopped(); started++ {
		go d.park()
	}
	for d.parked.Load() < started && !g.Stopped() {
		time.Sleep(time.Millisecond)
	}
	f.Put("tasks_parked", d.parked.Load())
	if g.Stopped() {
		return
	}
	if err := write(f); err != nil {
		g.End(workload.Ended{Kind: workload.Error, Detail: err.Error()})
	}
	close(d.gate)
}

func (d *dump) park() {
	d.parked.Add(1)
	<-d.gate
}

// write writes them to a file that does not stay.
func write(f *workload.Figures) error {
	file, err := os.CreateTemp("", "echo-ladder-thread-dump")
	if err != nil {
		return err
	}
	defer file.Close()
	// Without its name it goes with this process, however that ends.
	if err := os.Remove(file.Name()); err != nil {
		return err
	}
	begun := time.Now()
	if err := pprof.Lookup("goroutine").WriteTo(file, stacks); err != nil {
		return err
	}
	f.Put("dump_ns", time.Since(begun).Nanoseconds())
	size, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	f.Put("dump_bytes", size)
	threads, err := count(file)
	f.Put("dump_threads", threads)
	return err
}

// count says how many goroutines it has: the first line of each begins so.
func count(file *os.File) (int64, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	threads, lines := int64(0), bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "goroutine ") {
			threads++
		}
	}
	return threads, lines.Err()
}
