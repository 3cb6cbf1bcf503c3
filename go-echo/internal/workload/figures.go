package workload

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Figures is what a workload found, under names that end in their unit; one line of JSON in the end. Any goroutine.
type Figures struct {
	lock   sync.Mutex
	values map[string]any
}

// Put adds one; nil is what could not be measured.
func (f *Figures) Put(name string, value any) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.values[name] = value
}

// Get is nil where it was not put, or is nil.
func (f *Figures) Get(name string) any {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.values[name]
}

// Settled is memory of this process after forced collections, in bytes, and its OS threads.
type Settled struct {
	RSS, Reserved, Heap, HeapInUse, Stacks, Threads int64
}

// Settle collects twice, as the first collection leaves what finalizers hold.
func Settle() Settled {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := Settled{Heap: int64(m.HeapAlloc), HeapInUse: int64(m.HeapInuse), Stacks: int64(m.StackInuse)}
	if r, err := read(); err == nil { // It was read at the start; the guards end the workload where it cannot be now.
		s.RSS, s.Reserved, s.Threads = r.rss, r.reserved, r.threads
	}
	return s
}

// Settled adds memory as it is now, after a forced collection.
func (f *Figures) Settled() {
	s := Settle()
	f.Put("heap_live_bytes", s.Heap)
	f.Put("go_heap_bytes", s.HeapInUse)
	f.Put("go_stack_bytes", s.Stacks)
	f.Put("rss_settled_bytes", s.RSS)
	f.Put("reserved_settled_bytes", s.Reserved)
	f.Put("os_threads_settled", s.Threads)
}

func (f *Figures) line() []byte {
	f.lock.Lock()
	defer f.lock.Unlock()
	line, err := json.Marshal(f.values)
	if err != nil {
		panic(err) // Only numbers, texts and nil are ever put.
	}
	return line
}

func (f *Figures) environment(name string, l Limits, r readings) {
	f.Put("workload", name)
	f.Put("runtime", "go")
	f.Put("runtime_version", runtime.Version())
	f.Put("processors", runtime.GOMAXPROCS(0))
	f.Put("gomaxprocs", runtime.GOMAXPROCS(0))
	f.Put("memory_limit_bytes", l.MemoryBytes)
	f.Put("memory_limit_by", l.MemoryBy)
	f.Put("task_limit", l.Tasks)
	f.Put("task_limit_by", l.TasksBy)
	f.Put("gomemlimit_bytes", debug.SetMemoryLimit(-1))
	f.Put("rss_start_bytes", r.rss)
}

const shards = 8

// Times is a histogram of times from 1 ns to 1 h that any goroutine may record into: the library's own are for one.
type Times struct {
	parts [shards]struct {
		lock sync.Mutex
		h    *hdrhistogram.Histogram
		_    [40]byte // So that no two locks share a line of the cache.
	}
}

// NewTimes makes an empty one.
func NewTimes() *Times {
	t := &Times{}
	for i := range t.parts {
		t.parts[i].h = hdrhistogram.New(1, int64(time.Hour), 3)
	}
	return t
}

// Record adds a time; by tells apart those who record, so that they rarely meet.
func (t *Times) Record(by uint64, d time.Duration) {
	part := &t.parts[by%shards]
	part.lock.Lock()
	defer part.lock.Unlock()
	// Cannot fail: the value is clamped to the range.
	_ = part.h.RecordValue(min(max(int64(d), 0), int64(time.Hour)))
}

// Times adds those as name_p50_ns and so on; a percentile with fewer than 20 samples beyond it is null.
func (f *Figures) Times(name string, t *Times) {
	all := hdrhistogram.New(1, int64(time.Hour), 3)
	for i := range t.parts {
		t.parts[i].lock.Lock()
		all.Merge(t.parts[i].h)
		t.parts[i].lock.Unlock()
	}
	count := all.TotalCount()
	f.Put(name+"_count", count)
	for _, p := range []struct {
		percent float64
		name    string
	}{{50, "p50"}, {90, "p90"}, {99, "p99"}, {99.9, "p999"}} {
		if float64(count)*(1-p.percent/100) >= 20 {
			f.Put(name+"_"+p.name+"_ns", all.ValueAtQuantile(p.percent))
		} else {
			f.Put(name+"_"+p.name+"_ns", nil)
		}
	}
	if count == 0 {
		f.Put(name+"_mean_ns", nil)
		f.Put(name+"_max_ns", nil)
		return
	}
	f.Put(name+"_mean_ns", int64(all.Mean()))
	f.Put(name+"_max_ns", all.Max())
}
