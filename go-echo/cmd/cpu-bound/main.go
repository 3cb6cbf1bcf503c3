// Command cpu-bound computes a Fibonacci number in each of T goroutines. It is the Go form of the Java workload of that
// name.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

type bound struct {
	tasks, fibonacci, warmUp int
	ended, wrong             atomic.Int64
	startDelay, taskTime     *workload.Times
}

func main() {
	b := &bound{}
	o := workload.NewOptions("cpu-bound", "cpu-bound --tasks 2000 --fibonacci 27")
	o.IntVar(&b.tasks, "tasks", 2_000, "how many goroutines, 1 to 100000000")
	o.IntVar(&b.fibonacci, "fibonacci", 27, "which number each computes, 1 to 50")
	o.IntVar(&b.warmUp, "warm-up", 200, "goroutines before that")
	workload.Main(workload.Program{Options: o, Check: b.check, Run: b.run, Progress: b.progress})
}

func (b *bound) check() error {
	for _, c := range []struct {
		name               string
		value, least, most int
	}{{"tasks", b.tasks, 1, 100_000_000}, {"fibonacci", b.fibonacci, 1, 50}, {"warm-up", b.warmUp, 0, 1_000_000}} {
		if err := workload.Within(c.name, int64(c.value), int64(c.least), int64(c.most)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bound) progress() string {
	return fmt.Sprintf("%d of %d ended", b.ended.Load(), b.tasks)
}

func (b *bound) run(g *workload.Guards, f *workload.Figures) {
	f.Put("model", "goroutine")
	f.Put("tasks_requested", b.tasks)
	f.Put("fibonacci", b.fibonacci)
	b.round(b.warmUp, g)
	cpu, begun := workload.CPU(), time.Now()
	b.round(b.tasks, g)
	wall, ended := time.Since(begun), b.ended.Load()
	f.Put("wall_ns", wall.Nanoseconds())
	f.Put("tasks_ended", ended)
	f.Put("tasks_per_s", float64(ended)/wall.Seconds())
	if ended > 0 {
		f.Put("cpu_per_task_ns", (workload.CPU()-cpu).Nanoseconds()/ended)
	}
	f.Times("start_delay", b.startDelay)
	f.Times("task_time", b.taskTime)
	if wrong := b.wrong.Load(); wrong > 0 {
		g.End(workload.Ended{Kind: workload.Error, Detail: fmt.Sprintf("%d tasks computed a wrong number", wrong)})
	}
}

// round runs so many, all of them asked for at once; those that the guards come before compute nothing.
func (b *bound) round(count int, g *workload.Guards) {
	b.startDelay, b.taskTime = workload.NewTimes(), workload.NewTimes()
	b.ended.Store(0)
	var all sync.WaitGroup
	for i := 0; i < count && !g.Stopped(); i++ {
		asked := time.Now()
		all.Go(func() { b.task(uint64(i), asked, g) })
	}
	all.Wait()
}

func (b *bound) task(number uint64, asked time.Time, g *workload.Guards) {
	if g.Stopped() {
		return
	}
	begun := time.Now()
	if workload.Fibonacci(b.fibonacci) != workload.KnownFibonacci(b.fibonacci) {
		b.wrong.Add(1)
	}
	taken := time.Since(begun)
	b.startDelay.Record(number, begun.Sub(asked))
	b.taskTime.Record(number, taken)
	b.ended.Add(1)
}
