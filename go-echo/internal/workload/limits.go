// Package workload is what the programs measured without a network share: how they guard the host, and the line of JSON
// that they end with. It is to Go what the Java module workloads is to Java: same options, same figures, same limits.
package workload

import (
	"fmt"
	"time"
)

// Ended is what ended a workload; Kind is one of the constants below, Detail a sentence, empty for Done.
type Ended struct {
	Kind, Detail string
}

// What can end a workload: all that was asked for was done, an error of the runtime, its own guards, or a signal.
const (
	Done        = "done"
	Error       = "error"
	MemoryGuard = "memory-guard"
	TaskGuard   = "task-guard"
	TimeGuard   = "time-guard"
	Signal      = "signal"
)

// Limits is what a workload may take of the host.
type Limits struct {
	MemoryBytes  int64 // resident pages, page tables and kernel stacks
	MemoryBy     string
	ReserveBytes int64 // what must stay available on the host
	Tasks        int64 // threads of all processes that the kernel lets there be
	TasksBy      string
	Time         time.Duration
}

const (
	// Between two readings memory grows on; a twentieth is what a fast allocator takes in that time, and then some.
	memoryMarginShare = 20
	memoryMarginLeast = 16 << 20
	// So that whoever looks after the host can still start a shell.
	taskMarginShare = 20
	taskMarginLeast = 1_000
	// Kernel memory of a thread that no reading of the process contains: its stack of 16 KiB and its descriptors.
	kernelBytesPerThread = 24 << 10
)

func (l Limits) memoryStop() int64 {
	return l.MemoryBytes - max(l.MemoryBytes/memoryMarginShare, memoryMarginLeast)
}

func (l Limits) taskStop() int64 {
	return l.Tasks - max(l.Tasks/taskMarginShare, taskMarginLeast)
}

// room says whether there is any, and allocates nothing.
func (l Limits) room(r readings, elapsed time.Duration) bool {
	return r.held() < l.memoryStop() && r.available >= l.ReserveBytes && r.hostTasks < l.taskStop() && elapsed < l.Time
}

// check is nil as long as there is room.
func (l Limits) check(r readings, elapsed time.Duration) *Ended {
	switch {
	case r.held() >= l.memoryStop():
		return &Ended{MemoryGuard, fmt.Sprintf("stopped itself: it holds %s of the %s it may hold (%s)",
			mib(r.held()), mib(l.MemoryBytes), l.MemoryBy)}
	case r.available < l.ReserveBytes:
		return &Ended{MemoryGuard, fmt.Sprintf("stopped itself: %s are available on the host, of which %s are to stay so",
			mib(r.available), mib(l.ReserveBytes))}
	case r.hostTasks >= l.taskStop():
		return &Ended{TaskGuard, fmt.Sprintf("stopped itself: there are %d tasks on the host, of the %d that %s allows",
			r.hostTasks, l.Tasks, l.TasksBy)}
	case elapsed >= l.Time:
		return &Ended{TimeGuard, fmt.Sprintf("stopped itself after %.0f s, its time limit", l.Time.Seconds())}
	}
	return nil
}

func mib(bytes int64) string {
	return fmt.Sprintf("%d MiB", bytes>>20)
}
