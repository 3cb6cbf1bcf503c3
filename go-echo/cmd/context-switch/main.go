// Command context-switch lets T goroutines yield by runtime.Gosched, or hand a token round a ring, and tells ns per switch.
// It is the Go form of the Java workload of that name: what is measured lies between two moments at which all of them are
// under way; per_switch_ns is per yield, and switches_seen_per_yield how many of them switched, by a sample, taken after the
// measurement, of who ran after whom on each OS thread.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

const (
	byYield = "yield"
	byToken = "token"

	// Shorter, and a pause of whatever else runs on the host would be much of it.
	wallLeast = 500 * time.Millisecond
	lookEvery = 10 * time.Millisecond
	// To add up the counts takes some ns each, which must stay little of the time between two looks.
	lookPerGoroutine = 500 * time.Nanosecond

	sampleLeast = 20_000
	sampleMost  = 400_000
	sampleTime  = 5 * time.Second
)

// The phases that all go through.
const (
	turns int32 = iota
	sampledTurns
	over
)

// own is the turns of one goroutine; in a cache line of its own, so that two that count do not slow each other.
type own struct {
	done  atomic.Int64
	token chan struct{}
	_     [48]byte
}

type switching struct {
	threads, switches, warmUp int64
	by                        string

	ring                 []*own
	gate                 chan struct{}
	ready, going, told   atomic.Int64
	phase                atomic.Int32
	sample               *workload.TurnSample
	startDelay, taskTime *workload.Times
	all                  sync.WaitGroup
}

func main() {
	s := &switching{gate: make(chan struct{}), startDelay: workload.NewTimes(), taskTime: workload.NewTimes()}
	o := workload.NewOptions("context-switch", "context-switch --threads 1000 --switches 2000000")
	o.Int64Var(&s.threads, "threads", 0, "how many goroutines, 2 to 100000000; must be given")
	o.StringVar(&s.by, "by", byYield, "yield or token")
	o.Int64Var(&s.switches, "switches", 2_000_000, "at least so many in all, and for half a second at least")
	o.Int64Var(&s.warmUp, "warm-up", 500_000, "switches before that")
	workload.Main(workload.Program{Options: o, Check: s.check, Run: s.run, Progress: s.progress})
}

func (s *switching) check() error {
	if s.by != byYield && s.by != byToken {
		return fmt.Errorf("--by %q is not known; yield or token", s.by)
	}
	if err := workload.Within("switches", s.switches, 1, 100_000_000_000); err != nil {
		return err
	}
	if err := workload.Within("warm-up", s.warmUp, 0, 100_000_000_000); err != nil {
		return err
	}
	return workload.Within("threads", s.threads, 2, 100_000_000)
}

func (s *switching) progress() string {
	return fmt.Sprintf("%d of %d goroutines ready, %d of %d switches",
		s.ready.Load(), s.threads, s.told.Load(), s.warmUp+s.switches)
}

func (s *switching) run(g *workload.Guards, f *workload.Figures) {
	f.Put("model", "goroutine")
	f.Put("threads", s.threads)
	f.Put("by", s.by)
	for i := int64(0); i < s.threads && !g.Stopped(); i++ {
		o := &own{}
		if s.by == byToken {
			o.token = make(chan struct{}, 1)
		}
		s.ring = append(s.ring, o)
		asked := time.Now()
		s.all.Go(func() { s.goroutine(i, asked) })
	}
	for s.ready.Load() < s.threads && !g.Stopped() {
		time.Sleep(time.Millisecond)
	}
	if g.Stopped() {
		return
	}
	close(s.gate)
	if s.by == byToken {
		s.ring[0].token <- struct{}{}
	}
	all := s.measure(g, f)
	if all && s.by == byYield {
		s.takeSample(g)
	}
	s.phase.Store(over)
	if !all || g.Stopped() {
		return
	}
	s.wakeAll()
	s.all.Wait()
	s.seen(f)
	f.Times("start_delay", s.startDelay)
	f.Times("task_time", s.taskTime)
}

// measure is false where it was ended before.
func (s *switching) measure(g *workload.Guards, f *workload.Figures) bool {
	for s.going.Load() < s.threads || s.done() < s.warmUp {
		if !s.look(g) {
			return false
		}
	}
	before, cpu, begun := s.done(), workload.CPU(), time.Now()
	for s.done()-before < s.switches || time.Since(begun) < wallLeast {
		if !s.look(g) {
			return false
		}
	}
	count := float64(s.done() - before)
	wall, spent := time.Since(begun), workload.CPU()-cpu
	atOnce := min(s.threads, int64(runtime.GOMAXPROCS(0)))
	if s.by == byToken {
		atOnce = 1
	}
	f.Put("switches", count)
	f.Put("wall_ns", wall.Nanoseconds())
	f.Put("per_switch_ns", float64(wall.Nanoseconds()*atOnce)/count)
	f.Put("cpu_per_switch_ns", float64(spent.Nanoseconds())/count)
	return true
}

// look waits until it is time to look again; false where the workload was ended.
func (s *switching) look(g *workload.Guards) bool {
	select {
	case <-g.Stop():
		return false
	case <-time.After(max(lookEvery, time.Duration(s.threads)*lookPerGoroutine)):
		return true
	}
}

func (s *switching) done() int64 {
	sum := int64(0)
	for _, o := range s.ring {
		sum += o.done.Load()
	}
	s.told.Store(sum)
	return sum
}

func (s *switching) takeSample(g *workload.Guards) {
	s.sample = workload.NewTurnSample(int(min(max(4*s.threads, sampleLeast), sampleMost)))
	s.phase.Store(sampledTurns)
	for begun := time.Now(); !s.sample.Full() && time.Since(begun) < sampleTime && !g.Stopped(); {
		time.Sleep(time.Millisecond)
	}
}

// wakeAll gives a token to everybody who waits for one.
func (s *switching) wakeAll() {
	for _, o := range s.ring {
		pass(o)
	}
}

// pass never waits: there is room for the one token, but for those of wakeAll, which nobody misses.
func pass(to *own) {
	select {
	case to.token <- struct{}{}:
	default:
	}
}

func (s *switching) goroutine(number int64, asked time.Time) {
	s.startDelay.Record(uint64(number), time.Since(asked))
	s.ready.Add(1)
	<-s.gate
	begun := time.Now()
	s.going.Add(1)
	mine, next := s.ring[number], s.ring[(number+1)%s.threads]
	count := int64(0)
	for phase := s.phase.Load(); phase != over; phase = s.phase.Load() {
		if s.by == byYield {
			runtime.Gosched()
		} else {
			<-mine.token
			pass(next)
		}
		count++
		mine.done.Store(count)
		if phase == sampledTurns {
			s.sample.Add(unix.Gettid(), int(number))
		}
	}
	s.taskTime.Record(uint64(number), time.Since(begun))
}

// seen tells how many of the yields did switch; a token that arrives has switched by its nature.
func (s *switching) seen(f *workload.Figures) {
	if s.sample == nil {
		return
	}
	switches, of := s.sample.Seen()
	if of == 0 {
		return
	}
	share := float64(switches) / float64(of)
	f.Put("switches_seen_by", "sample")
	f.Put("switches_seen", switches)
	f.Put("switches_seen_of", of)
	f.Put("switches_seen_per_yield", share)
	for seen, each := range map[string]string{
		"per_switch_seen_ns": "per_switch_ns", "cpu_per_switch_seen_ns": "cpu_per_switch_ns",
	} {
		if ns, ok := f.Get(each).(float64); ok && share > 0 {
			f.Put(seen, ns/share)
		}
	}
}
