package main

import (
	"sync"
	"time"

	"github.com/echo-ladder/echo-ladder/go-echo/internal/workload"
)

// requests knows when the requests of a round began, in the mean and the last. Any goroutine.
type requests struct {
	begun     time.Time
	lock      sync.Mutex
	count     int64
	sum, last time.Duration
}

func (r *requests) add() {
	r.lock.Lock()
	defer r.lock.Unlock()
	now := time.Since(r.begun)
	r.count++
	r.sum += now
	r.last = max(r.last, now)
}

// put adds the mean time to a request and that to the last one, near which the mean is where all ask in one burst after all
// have computed.
func (r *requests) put(f *workload.Figures) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.count > 0 {
		f.Put("request_mean_ns", r.sum.Nanoseconds()/r.count)
		f.Put("request_last_ns", r.last.Nanoseconds())
	}
}
