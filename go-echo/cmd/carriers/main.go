// Command carriers lets as many goroutines as there are processors compute, or block in a system call, and tells how many
// others begin meanwhile, and how late. It is the Go form of the Java workload of that name, which has more ways to hold.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

const step = 15

type carriers struct {
	by                      string
	holders, probes, warmUp int
	hold                    time.Duration
	holding, begun          atomic.Int64
	released                atomic.Bool
	delay                   *workload.Times
}

func main() {
	c := &carriers{}
	o := workload.NewOptions("carriers", "carriers --by compute --hold 1s")
	o.StringVar(&c.by, "by", "", "what holds: compute or native; must be given")
	o.IntVar(&c.holders, "holders", 0, "1 to 1000; without it as many as processors")
	o.DurationVar(&c.hold, "hold", time.Second, "how long, 1ms to 10m")
	o.IntVar(&c.probes, "probes", 100, "1 to 10000")
	o.IntVar(&c.warmUp, "warm-up", 100, "probes before that")
	workload.Main(workload.Program{Options: o, Check: c.check, Run: c.run, Progress: c.progress})
}

func (c *carriers) check() error {
	if c.by != "compute" && c.by != "native" {
		return fmt.Errorf("--by %q is not known; compute or native", c.by)
	}
	if c.hold < time.Millisecond || c.hold > 10*time.Minute {
		return fmt.Errorf("--hold %s is not allowed; 1ms to 10m", c.hold)
	}
	if c.holders == 0 {
		c.holders = runtime.GOMAXPROCS(0)
	}
	for _, o := range []struct {
		name               string
		value, least, most int
	}{{"holders", c.holders, 1, 1_000}, {"probes", c.probes, 1, 10_000}, {"warm-up", c.warmUp, 0, 1_000_000}} {
		if err := workload.Within(o.name, int64(o.value), int64(o.least), int64(o.most)); err != nil {
			return err
		}
	}
	return nil
}

func (c *carriers) progress() string {
	return fmt.Sprintf("%d holding, %d of %d probes begun", c.holding.Load(), c.begun.Load(), c.probes)
}

func (c *carriers) run(g *workload.Guards, f *workload.Figures) {
	f.Put("model", "goroutine")
	f.Put("by", c.by)
	f.Put("carriers", runtime.GOMAXPROCS(0))
	f.Put("holders", c.holders)
	f.Put("hold_ns", c.hold.Nanoseconds())
	f.Put("probes_requested", c.probes)
	c.delay = workload.NewTimes()
	for i := range c.warmUp {
		done := make(chan struct{})
		asked := time.Now()
		go func() {
			c.probe(uint64(i), asked)
			close(done)
		}()
		<-done
	}
	c.delay = workload.NewTimes()
	c.begun.Store(0)
	var ended sync.WaitGroup
	for range c.holders {
		ended.Go(func() { c.keep(g) })
	}
	for latest := time.Now().Add(c.hold); c.holding.Load() < int64(c.holders) && time.Now().Before(latest) && !g.Stopped(); {
		time.Sleep(time.Millisecond)
	}
	f.Put("holders_begun", c.holding.Load())
	release := time.Now().Add(c.hold)
	for i := 0; i < c.probes && !g.Stopped(); i++ {
		time.Sleep(c.hold / time.Duration(2*c.probes))
		asked := time.Now()
		ended.Go(func() { c.probe(uint64(i), asked) })
	}
	time.Sleep(time.Until(release))
	inHold := c.begun.Load()
	c.released.Store(true)
	ended.Wait()
	f.Put("probes_begun", c.begun.Load())
	f.Put("probes_in_hold", inHold)
	f.Put("probes_in_hold_share", float64(inHold)/float64(c.probes))
	f.Times("probe_delay", c.delay)
}

// keep holds on to its processor. In a system call it does so for twice the time, so that it ends by itself only after it
// would have been released.
func (c *carriers) keep(g *workload.Guards) {
	c.holding.Add(1)
	if c.by == "native" {
		left := unix.NsecToTimespec(2 * c.hold.Nanoseconds())
		for errors.Is(unix.Nanosleep(&left, &left), unix.EINTR) && !g.Stopped() {
			continue // The runtime's own signals interrupt it.
		}
		return
	}
	for !c.released.Load() && !g.Stopped() {
		if workload.Fibonacci(step) != workload.KnownFibonacci(step) {
			g.End(workload.Ended{Kind: workload.Error, Detail: fmt.Sprintf("the number %d was computed wrongly", step)})
		}
	}
}

func (c *carriers) probe(number uint64, asked time.Time) {
	c.delay.Record(number, time.Since(asked))
	c.begun.Add(1)
}
