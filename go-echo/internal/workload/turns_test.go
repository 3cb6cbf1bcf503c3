package workload

import (
	"strings"
	"testing"
)

func TestTurnsOfSomebodyElseOnTheSameThreadAreSwitches(t *testing.T) {
	// A turn is written as thread and goroutine: 0a is goroutine a on thread 0.
	for _, c := range []struct {
		text            string
		switches, turns int64
	}{
		{"", 0, 0},
		{"0a", 0, 0},
		{"0a 0b 0a 0b", 3, 3},
		{"0a 0a 0a", 0, 2},
		// Two goroutines on a thread each switch never, however their turns fall.
		{"0a 1b 0a 1b 1b 0a", 0, 4},
		{"0a 1b 0c 1b 0a 1d", 3, 4},
		{"0a 1b 1a 0b", 2, 2},
	} {
		s := NewTurnSample(10)
		for _, turn := range strings.Fields(c.text) {
			s.Add(int(turn[0]), int(turn[1]))
		}
		if switches, turns := s.Seen(); switches != c.switches || turns != c.turns {
			t.Errorf("%q: %d of %d, expected %d of %d", c.text, switches, turns, c.switches, c.turns)
		}
	}
	full := NewTurnSample(2)
	for goroutine := range 5 {
		if full.Full() != (goroutine >= 2) {
			t.Errorf("full %v after %d of 2", full.Full(), goroutine)
		}
		full.Add(0, goroutine)
	}
	if switches, turns := full.Seen(); switches != 1 || turns != 1 {
		t.Errorf("%d of %d of what there was room for, expected 1 of 1", switches, turns)
	}
}
