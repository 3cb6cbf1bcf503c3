package workload

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	const mib = 1 << 20
	limits := Limits{1000 * mib, "--memory-limit", 512 * mib, 32768, "kernel.pid_max", 10 * time.Second}
	room := readings{rss: 949 * mib, available: 512 * mib, hostTasks: 31129}
	if by := limits.check(room, 9*time.Second); by != nil || !limits.room(room, 9*time.Second) {
		t.Errorf("there is room, but it was ended: %v", by)
	}
	for _, c := range []struct {
		name    string
		now     readings
		elapsed time.Duration
		kind    string
		words   string
	}{
		{"memory", readings{rss: 950 * mib, available: 9000 * mib}, 0, MemoryGuard,
			"it holds 950 MiB of the 1000 MiB it may hold (--memory-limit)"},
		{"page tables", readings{rss: 900 * mib, pageTables: 50 * mib, available: 9000 * mib}, 0, MemoryGuard, "950 MiB"},
		{"host", readings{available: 511 * mib}, 0, MemoryGuard, "511 MiB are available on the host"},
		{"tasks", readings{available: 9000 * mib, hostTasks: 31130}, 0, TaskGuard,
			"31130 tasks on the host, of the 32768 that kernel.pid_max allows"},
		{"time", readings{available: 9000 * mib}, 10 * time.Second, TimeGuard, "stopped itself after 10 s"},
	} {
		if limits.room(c.now, c.elapsed) {
			t.Errorf("%s: there is room", c.name)
		}
		by := limits.check(c.now, c.elapsed)
		if by == nil || by.Kind != c.kind || !strings.Contains(by.Detail, c.words) {
			t.Errorf("%s: %v; expected %s, %q", c.name, by, c.kind, c.words)
		}
	}
}

func TestAfterReadsTheNumberBehindAKey(t *testing.T) {
	text := []byte("VmRSS:\t  123 kB\nThreads:\t7\nEmpty:\n")
	for key, want := range map[string]int64{"VmRSS:": 123, "Threads:": 7, "Empty:": -1, "VmPTE:": -1} {
		if got := after(text, key); got != want {
			t.Errorf("%s %d, expected %d", key, got, want)
		}
	}
}

func TestOnlyReadsAllOfANumberOfTheKernel(t *testing.T) {
	text, err := exec.Command("cat", "/proc/sys/kernel/pid_max").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strconv.FormatInt(only("/proc/sys/kernel/pid_max"), 10); got != strings.TrimSpace(string(text)) {
		t.Errorf("%s, expected %s", got, text)
	}
	missing := t.TempDir() + "/max"
	if err := os.WriteFile(missing, []byte("max\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := only(missing); got != -1 {
		t.Errorf("%d of %q, expected -1", got, "max")
	}
}

func TestMemory(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "64M": 64 << 20, "4G": 4 << 30} {
		if got, err := memory(text); err != nil || got != want {
			t.Errorf("%q: %d, %v; expected %d", text, got, err, want)
		}
	}
	for _, text := range []string{"4", "G", "63M", "4K", "-1G", "9999999G"} {
		if got, err := memory(text); err == nil {
			t.Errorf("%q was taken as %d", text, got)
		}
	}
}

func TestTimesGivesNoPercentileOfTooFew(t *testing.T) {
	times := NewTimes()
	for i := range uint64(300) {
		times.Record(i, time.Duration(i+1)*time.Microsecond)
	}
	f := &Figures{values: map[string]any{}}
	f.Times("x", times)
	if f.values["x_count"] != int64(300) || f.values["x_p99_ns"] != nil {
		t.Errorf("%v", f.values)
	}
	if p50, _ := f.values["x_p50_ns"].(int64); p50 < 149_000 || p50 > 151_000 {
		t.Errorf("p50 %v, expected 150 µs", f.values["x_p50_ns"])
	}
}
