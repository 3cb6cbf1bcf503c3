package workload

import "sync"

const pointsMost = 600

// overTime is memory and threads over time. One goroutine adds.
type overTime struct {
	lock                   sync.Mutex
	everyMs                int64
	timeMs, rss, osThreads []int64
}

func newOverTime() *overTime {
	list := func() []int64 { return make([]int64, 0, pointsMost) }
	return &overTime{everyMs: 50, timeMs: list(), rss: list(), osThreads: list()}
}

// add takes a point if one is due; where there is no room, every second point goes and the others come half as often.
func (o *overTime) add(ms, rss, threads int64) {
	o.lock.Lock()
	defer o.lock.Unlock()
	n := len(o.timeMs)
	if n > 0 && ms < o.timeMs[n-1]+o.everyMs {
		return
	}
	if n == pointsMost {
		for _, list := range []*[]int64{&o.timeMs, &o.rss, &o.osThreads} {
			for i := range n / 2 {
				(*list)[i] = (*list)[2*i]
			}
			*list = (*list)[:n/2]
		}
		o.everyMs *= 2
	}
	o.timeMs, o.rss, o.osThreads = append(o.timeMs, ms), append(o.rss, rss), append(o.osThreads, threads)
}

// points are lists of equal length.
func (o *overTime) points() map[string][]int64 {
	o.lock.Lock()
	defer o.lock.Unlock()
	return map[string][]int64{"time_ms": o.timeMs, "rss_bytes": o.rss, "os_threads": o.osThreads}
}
