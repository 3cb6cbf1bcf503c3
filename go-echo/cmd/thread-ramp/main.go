// Command thread-ramp starts N goroutines that wait: each sleeps for the same time, or all wait on one channel that is
// closed when the last of them waits. It is the Go form of the Java workload of that name.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

type ramp struct {
	tasks, warmUp int64
	sleep         time.Duration
	latch         bool

	live                 workload.LiveTasks
	started              atomic.Int64
	gate                 chan struct{}
	startDelay, taskTime *workload.Times
}

func main() {
	r := &ramp{gate: make(chan struct{}), startDelay: workload.NewTimes(), taskTime: workload.NewTimes()}
	o := workload.NewOptions("thread-ramp", "thread-ramp --tasks 1000000 --memory-limit 4G")
	o.Int64Var(&r.tasks, "tasks", 0, "how many goroutines, 1 to 1000000000; must be given")
	o.DurationVar(&r.sleep, "sleep", time.Second, "how long each sleeps")
	o.BoolVar(&r.latch, "latch", false, "all wait on one channel instead, which is closed when the last of them waits")
	o.Int64Var(&r.warmUp, "warm-up", 2_000, "goroutines that are started and ended before")
	workload.Main(workload.Program{Options: o, Check: r.check, Run: r.run, Progress: r.progress})
}

func (r *ramp) check() error {
	if r.sleep < 0 || r.sleep > time.Hour {
		return fmt.Errorf("--sleep %s is not allowed; up to 1h", r.sleep)
	}
	if err := workload.Within("warm-up", r.warmUp, 0, 1_000_000); err != nil {
		return err
	}
	return workload.Within("tasks", r.tasks, 1, 1_000_000_000)
}

func (r *ramp) progress() string {
	return fmt.Sprintf("%d of %d started, %d ended, %d live", r.started.Load(), r.tasks, r.live.Ended(), r.live.Live())
}

func (r *ramp) run(g *workload.Guards, f *workload.Figures) {
	f.Put("model", "goroutine")
	f.Put("tasks_requested", r.tasks)
	if r.latch {
		f.Put("wait", "latch")
	} else {
		f.Put("wait", "sleep")
		f.Put("sleep_ns", r.sleep.Nanoseconds())
	}
	r.warm()
	begun := time.Now()
	for i := int64(0); i < r.tasks && !g.Stopped(); i++ {
		go r.task(uint64(i), time.Now())
		r.started.Add(1)
	}
	if r.latch {
		r.wait(g, func() bool { return r.live.Live() == r.started.Load() })
		if !g.Stopped() {
			f.Put("settled_at", "latch")
			f.Settled()
		}
		close(r.gate)
	}
	r.wait(g, func() bool { return r.live.Ended() == r.started.Load() })
	f.Put("wall_ns", time.Since(begun).Nanoseconds())
	f.Put("tasks_started", r.started.Load())
	f.Put("tasks_ended", r.live.Ended())
	f.Put("tasks_live_peak", r.live.Peak())
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	f.Put("heap_used_bytes", now.Alloc) // Before any collection, garbage included.
	if r.latch && !g.Stopped() {
		f.Put("rss_ended_bytes", workload.Settle().RSS)
	}
	f.Times("start_delay", r.startDelay)
	f.Times("task_time", r.taskTime)
}

// wait looks every millisecond until it is so, or the workload was ended.
func (r *ramp) wait(g *workload.Guards, so func() bool) {
	for !so() {
		select {
		case <-g.Stop():
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func (r *ramp) task(number uint64, asked time.Time) {
	begun := time.Now()
	r.live.Begin()
	r.startDelay.Record(number, begun.Sub(asked))
	if r.latch {
		<-r.gate
	} else {
		time.Sleep(r.sleep)
	}
	r.taskTime.Record(number, time.Since(begun))
	r.live.End()
}

func (r *ramp) warm() {
	done := make(chan struct{})
	for range r.warmUp {
		go func() {
			time.Sleep(time.Millisecond)
			done <- struct{}{}
		}()
	}
	for range r.warmUp {
		<-done
	}
}
