package workload

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	readEvery  = 20 * time.Millisecond
	tellEvery  = time.Second
	lastResort = 10 * time.Second
)

// Guards watch what a workload takes of the host, and end it in time. The workload asks Stopped wherever it takes more,
// and waits beside Stop alone. Any goroutine may call.
type Guards struct {
	limits      Limits
	reading     sync.Mutex
	sources     *sources
	begun       time.Time
	stopped     atomic.Bool
	stop        chan struct{}
	once        sync.Once
	ended       Ended // written once, before stop is closed
	threadsPeak atomic.Int64
	heldPeak    atomic.Int64
	overTime    *overTime
}

func newGuards(limits Limits, sources *sources) *Guards {
	return &Guards{limits: limits, sources: sources, begun: time.Now(), stop: make(chan struct{}), ended: Ended{Kind: Done}, overTime: newOverTime()}
}

// Stopped says whether the workload should take no more.
func (g *Guards) Stopped() bool { return g.stopped.Load() }

// Stop is closed when the workload should take no more.
func (g *Guards) Stop() <-chan struct{} { return g.stop }

// End ends the workload; what ended it first counts.
func (g *Guards) End(by Ended) {
	g.once.Do(func() {
		g.ended = by
		g.stopped.Store(true)
		close(g.stop)
	})
}

// Ended is what ended it; Done as long as nothing did.
func (g *Guards) Ended() Ended {
	if !g.Stopped() {
		return Ended{Kind: Done}
	}
	<-g.stop
	return g.ended
}

// read is what the kernel says now.
func (g *Guards) read() (readings, error) {
	g.reading.Lock()
	defer g.reading.Unlock()
	return g.sources.read()
}

// watch never returns; tell is called where the workload does not end by itself. It makes no system call that could cost it
// its processor (see procFile.read), and allocates nothing while the workload runs, as the collector could make it wait: so
// the lines of progress are written by another.
func (g *Guards) watch(progress func() string, tell func()) {
	told, lines := time.Now(), make(chan readings, 1)
	go func() {
		for r := range lines {
			fmt.Fprintf(os.Stderr, "%s, RSS %s, %d OS threads\n", progress(), mib(r.rss), r.threads)
		}
	}()
	var since time.Time
	for {
		r, err := g.read()
		if err != nil {
			g.End(Ended{Error, fmt.Sprintf("the guards cannot read /proc any more: %v", err)})
		}
		now := time.Now()
		g.threadsPeak.Store(max(g.threadsPeak.Load(), r.threads))
		g.heldPeak.Store(max(g.heldPeak.Load(), r.held()))
		g.overTime.add(now.Sub(g.begun).Milliseconds(), r.rss, r.threads)
		if elapsed := now.Sub(g.begun); err == nil && !g.limits.room(r, elapsed) {
			g.stopped.Store(true)
			g.End(*g.limits.check(r, elapsed))
		}
		if now.Sub(told) >= tellEvery {
			told = now
			select {
			case lines <- r:
			default: // The one before was not written yet.
			}
		}
		if g.Stopped() {
			if since.IsZero() {
				since = now
			}
			if now.Sub(since) > lastResort {
				tell()
			}
		}
		time.Sleep(readEvery)
	}
}
