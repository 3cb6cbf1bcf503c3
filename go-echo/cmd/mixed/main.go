// Command mixed lets each of T goroutines compute a Fibonacci number and then wait for a local server: the same one, in a
// process of its own, that the Java workload of that name waits for. It is the Go form of that workload.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

// What the server is asked for, as in Java's WaitingServer.
const (
	atOnce byte = 0
	waits  byte = 1
)

type mixed struct {
	tasks, together, fibonacci, warmUp int
	wait                               time.Duration
	server                             waitingServer
	ended                              atomic.Int64
	startDelay, taskTime               *workload.Times
	requests                           requests
}

func main() {
	m := &mixed{}
	o := workload.NewOptions("mixed", "mixed --tasks 2000 --fibonacci 25 --wait 5s")
	o.IntVar(&m.tasks, "tasks", 1_000, "how many goroutines, 1 to 100000000")
	o.IntVar(&m.together, "at-once", 0, "a fixed pool of so many goroutines, 1 to 1000000; without it a goroutine per task")
	o.IntVar(&m.fibonacci, "fibonacci", 25, "which number each computes, 1 to 50")
	o.DurationVar(&m.wait, "wait", 5*time.Second, "after which the server answers")
	o.IntVar(&m.warmUp, "warm-up", 200, "goroutines before that, which the server answers at once")
	o.StringVar(&m.server.java, "java", "", "the program java that runs the server; without it that of JAVA_HOME or of PATH")
	o.StringVar(&m.server.classes, "server-classes", "",
		"class path of the server; without it workloads/target/lib of the checkout that this program was built in")
	workload.Main(workload.Program{Options: o, Check: m.check, Run: m.run, Progress: m.progress})
}

func (m *mixed) check() error {
	if m.wait < time.Millisecond || m.wait > time.Hour {
		return fmt.Errorf("--wait %s is not allowed; 1ms to 1h", m.wait)
	}
	for _, c := range []struct {
		name               string
		value, least, most int
	}{
		{"tasks", m.tasks, 1, 100_000_000}, {"at-once", m.together, 0, 1_000_000},
		{"fibonacci", m.fibonacci, 1, 50}, {"warm-up", m.warmUp, 0, 1_000_000},
	} {
		if err := workload.Within(c.name, int64(c.value), int64(c.least), int64(c.most)); err != nil {
			return err
		}
	}
	return m.server.find()
}

func (m *mixed) progress() string {
	return fmt.Sprintf("%d of %d ended", m.ended.Load(), m.tasks)
}

func (m *mixed) run(g *workload.Guards, f *workload.Figures) {
	f.Put("model", "goroutine")
	f.Put("tasks_requested", m.tasks)
	f.Put("at_once", nil)
	if m.together > 0 {
		f.Put("at_once", m.together)
	}
	f.Put("fibonacci", m.fibonacci)
	f.Put("wait_ns", m.wait.Nanoseconds())
	address, err := m.server.start(m.wait)
	defer m.server.stop()
	if err != nil {
		g.End(workload.Ended{Kind: workload.Error, Detail: err.Error()})
		return
	}
	m.round(m.warmUp, atOnce, address, g)
	m.requests = requests{begun: time.Now()}
	begun := time.Now()
	m.round(m.tasks, waits, address, g)
	wall, ended := time.Since(begun), m.ended.Load()
	f.Put("wall_ns", wall.Nanoseconds())
	f.Put("tasks_ended", ended)
	f.Put("tasks_per_s", float64(ended)/wall.Seconds())
	f.Times("start_delay", m.startDelay)
	f.Times("task_time", m.taskTime)
	m.requests.put(f)
}

// round runs so many, all of them asked for at once, until they have ended or the guards end it.
func (m *mixed) round(count int, ask byte, address string, g *workload.Guards) {
	startDelay, taskTime := workload.NewTimes(), workload.NewTimes()
	m.startDelay, m.taskTime = startDelay, taskTime
	m.ended.Store(0)
	var left sync.WaitGroup
	type asked struct {
		number uint64
		at     time.Time
	}
	queue := make(chan asked, min(m.together, 1)*count) // Only a pool has a queue, which holds all of them.
	for range min(m.together, count) {
		left.Go(func() {
			for a := range queue {
				m.task(a.number, a.at, ask, address, g)
			}
		})
	}
	for i := 0; i < count && !g.Stopped(); i++ {
		if a := (asked{uint64(i), time.Now()}); m.together > 0 {
			queue <- a
		} else {
			left.Go(func() { m.task(a.number, a.at, ask, address, g) })
		}
	}
	close(queue)
	all := make(chan struct{})
	go func() {
		left.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-g.Stop():
	}
}

func (m *mixed) task(number uint64, asked time.Time, ask byte, address string, g *workload.Guards) {
	if g.Stopped() {
		return
	}
	begun := time.Now()
	m.startDelay.Record(number, begun.Sub(asked))
	if err := computeAndWait(m.fibonacci, ask, address, m.requests.add); err != nil {
		g.End(workload.Ended{Kind: workload.Error, Detail: err.Error()})
		return
	}
	m.taskTime.Record(number, time.Since(begun))
	m.ended.Add(1)
}

func computeAndWait(n int, ask byte, address string, asks func()) error {
	if workload.Fibonacci(n) != workload.KnownFibonacci(n) {
		return fmt.Errorf("the number %d was computed wrongly", n)
	}
	asks()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	if _, err := connection.Write([]byte{ask}); err != nil {
		return err
	}
	answer := make([]byte, 1)
	if _, err := io.ReadFull(connection, answer); errors.Is(err, io.EOF) {
		return errors.New("the local server closed the connection without its answer")
	} else if err != nil {
		return err
	}
	return nil
}
