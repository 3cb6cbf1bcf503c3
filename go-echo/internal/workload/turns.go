package workload

import "sync/atomic"

// TurnSample is who had the turn after whom: goroutines that make way write themselves down, each time they go on, with the
// OS thread that ran them. A thread runs one after the other, so two of its turns in a row that are not of the same
// goroutine are a switch. Any goroutine adds; Seen is asked for when none does any more.
type TurnSample struct {
	turns []turn
	next  atomic.Int64
}

type turn struct{ runner, goroutine int }

// NewTurnSample makes one that takes so many.
func NewTurnSample(most int) *TurnSample {
	return &TurnSample{turns: make([]turn, most)}
}

// Add takes a turn down; without effect when full.
func (s *TurnSample) Add(runner, goroutine int) {
	if s.Full() {
		return
	}
	if at := s.next.Add(1) - 1; at < int64(len(s.turns)) {
		s.turns[at] = turn{runner, goroutine}
	}
}

// Full says whether it takes no more.
func (s *TurnSample) Full() bool { return s.next.Load() >= int64(len(s.turns)) }

// Seen is how many turns had another before them on their thread, and how many of those were somebody else's.
func (s *TurnSample) Seen() (switches, turns int64) {
	last := map[int]int{}
	for _, t := range s.turns[:min(s.next.Load(), int64(len(s.turns)))] {
		if before, found := last[t.runner]; found {
			turns++
			if before != t.goroutine {
				switches++
			}
		}
		last[t.runner] = t.goroutine
	}
	return switches, turns
}
