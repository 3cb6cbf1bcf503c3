package workload

import "sync/atomic"

// LiveTasks counts tasks between their first line and their last, and the most that were there at once.
type LiveTasks struct {
	live, ended, peak atomic.Int64
}

// Begin counts one in.
func (l *LiveTasks) Begin() {
	now := l.live.Add(1)
	for peak := l.peak.Load(); now > peak && !l.peak.CompareAndSwap(peak, now); peak = l.peak.Load() {
	}
}

// End counts one out.
func (l *LiveTasks) End() {
	l.live.Add(-1)
	l.ended.Add(1)
}

// Live is how many there are, Ended how many there were, Peak the most at once.
func (l *LiveTasks) Live() int64 { return l.live.Load() }

// Ended is how many have ended.
func (l *LiveTasks) Ended() int64 { return l.ended.Load() }

// Peak is the most that were there at once.
func (l *LiveTasks) Peak() int64 { return l.peak.Load() }
