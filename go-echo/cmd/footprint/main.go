// Command footprint parks N goroutines at a given depth of their stacks and tells what each takes. It is the Go form of the
// Java workload of that name.
package main

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

type footprint struct {
	tasks  int64
	depth  int
	parked atomic.Int64
	sink   atomic.Int64
	gate   chan struct{}
}

func main() {
	p := &footprint{gate: make(chan struct{})}
	o := workload.NewOptions("footprint", "footprint --tasks 100000 --depth 50")
	o.Int64Var(&p.tasks, "tasks", 0, "how many goroutines, 1 to 100000000; must be given")
	o.IntVar(&p.depth, "depth", 1, "frames of its own that each has, 1 to 1000")
	workload.Main(workload.Program{Options: o, Check: p.check, Run: p.run, Progress: p.progress})
}

func (p *footprint) check() error {
	if err := workload.Within("depth", int64(p.depth), 1, 1_000); err != nil {
		return err
	}
	return workload.Within("tasks", p.tasks, 1, 100_000_000)
}

func (p *footprint) progress() string {
	return fmt.Sprintf("%d of %d parked", p.parked.Load(), p.tasks)
}

func (p *footprint) run(g *workload.Guards, f *workload.Figures) {
	f.Put("model", "goroutine")
	f.Put("tasks_requested", p.tasks)
	f.Put("depth", p.depth)
	before := workload.Settle()
	started := int64(0)
	for ; started < p.tasks && !g.Stopped(); started++ {
		go p.park(p.depth)
	}
	for p.parked.Load() < started && !g.Stopped() {
		time.Sleep(time.Millisecond)
	}
	f.Put("tasks_started", started)
	f.Put("tasks_parked", p.parked.Load())
	if g.Stopped() {
		return
	}
	after := workload.Settle()
	each := func(from, to int64) float64 { return float64(to-from) / float64(started) }
	f.Put("settled_at", "parked")
	f.Put("rss_settled_bytes", after.RSS)
	f.Put("heap_live_bytes", after.Heap)
	f.Put("go_heap_bytes", after.HeapInUse)
	f.Put("go_stack_bytes", after.Stacks)
	f.Put("os_threads_settled", after.Threads)
	f.Put("resident_bytes_per_task", each(before.RSS, after.RSS))
	f.Put("heap_bytes_per_task", each(before.Heap, after.Heap))
	f.Put("stack_bytes_per_task", each(before.Stacks, after.Stacks))
	f.Put("reserved_bytes_per_task", each(before.Reserved, after.Reserved))
	f.Put("resident_growth_bytes", after.RSS-before.RSS)
	close(p.gate)
}

// park has so many frames, and the wait in the last of them. What it computes keeps each frame's values alive.
//
//go:noinline
func (p *footprint) park(left int) int64 {
	here := int64(left) * 31
	var below int64
	if left > 1 {
		below = p.park(left - 1)
	} else {
		p.parked.Add(1)
		<-p.gate
		below = 1
	}
	return p.sink.Add(here ^ below)
}
