// Command fork-style does one recursion, the naive Fibonacci, in one of six ways. It is the Go form of the Java workload of
// that name: a call is one number of that size, and its time runs from when it is to be handed over to when its number is there.
package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

const (
	sequential        = "sequential"
	threadPerCall     = "thread-per-call" // a goroutine here
	twoThreadsPerCall = "two-threads-per-call"
	sharedExecutor    = "shared-executor"
	overCalls         = "over-calls"
	bounded           = "bounded"
)

var styles = []string{sequential, threadPerCall, twoThreadsPerCall, sharedExecutor, overCalls, bounded}

type forks struct {
	style              string
	n, calls, warmUp   int
	permits            int
	pooled             bool
	ended, done, wrong atomic.Int64
	callTime           *workload.Times
	pool               chan *half
}

func main() {
	f := &forks{}
	o := workload.NewOptions("fork-style", "fork-style --style thread-per-call --fibonacci 15 --calls 200")
	o.StringVar(&f.style, "style", "", strings.Join(styles, ", ")+"; must be given")
	o.IntVar(&f.n, "fibonacci", 15, "size of a call, 2 to 40")
	o.IntVar(&f.calls, "calls", 200, "how many, 1 to 100000000")
	o.IntVar(&f.warmUp, "warm-up", 50, "calls before that")
	o.BoolVar(&f.pooled, "pool", false, "a worker per processor instead of a goroutine for each half that is submitted, or for each call")
	o.IntVar(&f.permits, "permits", 0, "of bounded, 1 to 1000000; without it as many as processors")
	workload.Main(workload.Program{Options: o, Check: f.check, Run: f.run, Progress: f.progress})
}

func (f *forks) check() error {
	if !slices.Contains(styles, f.style) {
		return fmt.Errorf("--style %q is not known; %s", f.style, strings.Join(styles, ", "))
	}
	if err := workload.Within("fibonacci", int64(f.n), 2, 40); err != nil {
		return err
	}
	if f.permits == 0 {
		f.permits = runtime.GOMAXPROCS(0)
	}
	if err := workload.Within("permits", int64(f.permits), 1, 1_000_000); err != nil {
		return err
	}
	if err := workload.Within("warm-up", int64(f.warmUp), 0, 1_000_000); err != nil {
		return err
	}
	return workload.Within("calls", int64(f.calls), 1, 100_000_000)
}

func (f *forks) progress() string {
	return fmt.Sprintf("%d of %d calls ended, %d forks", f.ended.Load(), f.calls, f.done.Load())
}

func (f *forks) run(g *workload.Guards, out *workload.Figures) {
	processors := runtime.GOMAXPROCS(0)
	if f.style == sharedExecutor && f.pooled {
		f.pool = make(chan *half, 1<<16)
		for range processors {
			go f.work(g)
		}
	}
	out.Put("style", f.style)
	if f.pooled {
		out.Put("model", "pool")
	} else {
		out.Put("model", "goroutine")
	}
	if f.style == bounded {
		out.Put("permits", f.permits)
	}
	out.Put("fibonacci", f.n)
	out.Put("calls_requested", f.calls)
	f.round(f.warmUp, processors, g)
	begun := time.Now()
	f.round(f.calls, processors, g)
	wall, ended := time.Since(begun), f.ended.Load()
	out.Put("wall_ns", wall.Nanoseconds())
	out.Put("calls_ended", ended)
	out.Put("forks", f.done.Load())
	if ended > 0 {
		out.Put("per_call_wall_ns", wall.Nanoseconds()/ended)
	}
	out.Times("call_time", f.callTime)
	if wrong := f.wrong.Load(); wrong > 0 {
		g.End(workload.Ended{Kind: workload.Error, Detail: fmt.Sprintf("%d calls computed a wrong number", wrong)})
	}
}

// round does so many calls. Over calls each has a goroutine, or in a pool its place in a queue before a worker per processor.
// Bounded, a semaphore lets in so many as have not ended; a call's time begins before it has a permit.
func (f *forks) round(count, processors int, g *workload.Guards) {
	f.callTime = workload.NewTimes()
	f.ended.Store(0)
	f.done.Store(0)
	if f.style != overCalls && f.style != bounded {
		for i := 0; i < count && !g.Stopped(); i++ {
			f.call(uint64(i), time.Now(), func() int64 { return f.recursion(g) }, g)
		}
		return
	}
	begun := time.Now()
	room := make(chan struct{}, count)
	if f.style == bounded {
		room = make(chan struct{}, f.permits)
	}
	var left sync.WaitGroup
	compute := func() int64 { return workload.Fibonacci(f.n) }
	hand := func(i int, handed time.Duration) {
		left.Go(func() {
			f.call(uint64(i), begun.Add(handed), compute, g)
			<-room
		})
	}
	if f.pooled {
		queue := make(chan time.Duration, count) // Since begun: without pointers, which the collector would follow.
		for i := range processors {
			left.Go(func() {
				for handed := range queue {
					f.call(uint64(i), begun.Add(handed), compute, g)
					<-room
				}
			})
		}
		defer left.Wait()
		defer close(queue)
		hand = func(_ int, handed time.Duration) { queue <- handed }
	} else {
		defer left.Wait()
	}
	for i := 0; i < count && !g.Stopped(); i++ {
		handed := time.Since(begun)
		room <- struct{}{}
		hand(i, handed)
	}
}

func (f *forks) recursion(g *workload.Guards) int64 {
	switch f.style {
	case threadPerCall:
		return f.byGoroutines(f.n, g)
	case twoThreadsPerCall:
		return f.byTwoGoroutines(f.n, g)
	case sharedExecutor:
		return f.byExecutor(f.n, g)
	default:
		return workload.Fibonacci(f.n)
	}
}

func (f *forks) call(by uint64, handed time.Time, compute func() int64, g *workload.Guards) {
	if g.Stopped() {
		return
	}
	number := compute()
	if g.Stopped() {
		return // It was not done to its end.
	}
	f.callTime.Record(by, time.Since(handed))
	f.ended.Add(1)
	if number != workload.KnownFibonacci(f.n) {
		f.wrong.Add(1)
	}
}

// byGoroutines starts a goroutine for one half at each level; without meaning once the guards have ended it.
func (f *forks) byGoroutines(m int, g *workload.Guards) int64 {
	if m < 2 || g.Stopped() {
		return int64(m)
	}
	f.done.Add(1)
	one := make(chan int64, 1)
	go func() { one <- f.byGoroutines(m-1, g) }()
	other := f.byGoroutines(m-2, g)
	return <-one + other
}

// byTwoGoroutines starts a goroutine for either half, while the caller only waits.
func (f *forks) byTwoGoroutines(m int, g *workload.Guards) int64 {
	if m < 2 || g.Stopped() {
		return int64(m)
	}
	f.done.Add(2)
	halves := make(chan int64, 2)
	go func() { halves <- f.byTwoGoroutines(m-1, g) }()
	go func() { halves <- f.byTwoGoroutines(m-2, g) }()
	return <-halves + <-halves
}

// half is anybody's who is free; where nobody has begun it, the caller does it, so that nobody waits for nobody.
type half struct {
	m      int
	begun  atomic.Bool
	result chan int64
}

func (f *forks) compute(h *half, g *workload.Guards) {
	if h.begun.CompareAndSwap(false, true) {
		h.result <- f.byExecutor(h.m, g)
	}
}

func (f *forks) work(g *workload.Guards) {
	for h := range f.pool {
		f.compute(h, g)
	}
}

func (f *forks) byExecutor(m int, g *workload.Guards) int64 {
	if m < 2 || g.Stopped() {
		return int64(m)
	}
	f.done.Add(1)
	one := &half{m: m - 1, result: make(chan int64, 1)}
	if !f.pooled {
		go f.compute(one, g)
		return f.byExecutor(m-2, g) + <-one.result
	}
	select {
	case f.pool <- one:
	default: // The queue is full: the caller does it itself.
	}
	other := f.byExecutor(m-2, g)
	f.compute(one, g)
	return <-one.result + other
}
