package workload

import (
	"os"
	"path/filepath"
	"testing"
)

// host is a folder of the form that / has, with these files.
func host(t *testing.T, files map[string]string) groups {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		file := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return groups{root}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name          string
		files         map[string]string
		memory, tasks int64
	}{
		{"nothing is mounted", map[string]string{"proc/self/cgroup": "0::/x"}, -1, -1},
		{"version 2 alone, mounted elsewhere, bound by the slice", map[string]string{
			"proc/self/cgroup":                       "0::/a.slice/b.service",
			"proc/self/mountinfo":                    "30 23 0:28 / /elsewhere rw - cgroup2 cgroup2 rw",
			"elsewhere/a.slice/memory.max":           "1000000",
			"elsewhere/a.slice/b.service/memory.max": "2000000",
			"elsewhere/a.slice/b.service/pids.max":   "max",
			"sys/fs/cgroup/memory.max":               "9",
		}, 1000000, -1},
		{"version 1, where no limit is the largest whole page", map[string]string{
			"proc/self/cgroup":                  "8:pids:/p\n4:memory:/m\n0::/",
			"proc/self/mountinfo":               "35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n39 31 0:36 / /cg/pids rw - cgroup cgroup rw,pids",
			"cg/memory/m/memory.limit_in_bytes": "9223372036854771712",
			"cg/pids/p/pids.max":                "400",
		}, -1, 400},
		{"a container, whose group is the top of what is mounted", map[string]string{
			"proc/self/cgroup":        "0::/docker/ab/x",
			"proc/self/mountinfo":     "30 23 0:28 /docker/ab /cg rw - cgroup2 cgroup rw",
			"cg/x/pids.max":           "64",
			"cg/memory.max":           "5000000",
			"cg/docker/ab/memory.max": "7",
		}, 5000000, 64},
		{"a group outside of what is mounted", map[string]string{
			"proc/self/cgroup":    "0::/../other",
			"proc/self/mountinfo": "30 23 0:28 /docker/ab /cg ro - cgroup2 cgroup rw",
			"cg/pids.max":         "64",
			"other/pids.max":      "3",
		}, -1, 64},
	} {
		here := host(t, c.files)
		if memory, tasks := here.memory(), here.tasks(); memory != c.memory || tasks != c.tasks {
			t.Errorf("%s: memory %d, tasks %d; expected %d, %d", c.name, memory, tasks, c.memory, c.tasks)
		}
	}
}
