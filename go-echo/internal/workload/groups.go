package workload

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// groups finds the control groups that this process is in, of version 1 and 2, by what is mounted here and not by where
// that usually is. It is to Go what echoladder.linux.ControlGroups is to Java. The root is "/", or a folder of its form.
type groups struct{ root string }

var ownGroups = groups{"/"}

// memory is the tightest limit in bytes of all groups around this process; -1 where there is none.
func (g groups) memory() int64 {
	return g.tightest("memory", "memory.limit_in_bytes", "memory.max")
}

// tasks is the same of threads and processes.
func (g groups) tasks() int64 {
	return g.tightest("pids", "pids.max", "pids.max")
}

func (g groups) tightest(controller, version1, version2 string) int64 {
	least := int64(-1)
	for _, line := range g.lines("proc/self/cgroup") {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		unified := parts[0] == "0" && parts[1] == ""
		if !unified && !slices.Contains(strings.Split(parts[1], ","), controller) {
			continue
		}
		name := version1
		if unified {
			name = version2
		}
		for _, dir := range g.climb(controller, unified, parts[2]) {
			// Version 1 writes "no limit" as the largest whole page.
			if n := only(filepath.Join(dir, name)); n >= 0 && n <= 1<<60 && (least < 0 || n < least) {
				least = n
			}
		}
	}
	return least
}

// climb is the folder of a group and those of the groups above it, up to the top of what is mounted.
func (g groups) climb(controller string, unified bool, group string) []string {
	from, point := g.mount(controller, unified)
	if point == "" {
		return nil
	}
	inside := group
	if from == "/" || group == from || strings.HasPrefix(group, from+"/") {
		inside = strings.TrimPrefix(group, from)
	}
	top := filepath.Join(g.root, point)
	// Without its root it could lead above the mount, as in some containers; then only the top is to be seen.
	at := filepath.Join(top, inside)
	if info, err := os.Stat(at); err != nil || !info.IsDir() || !within(at, top) {
		at = top
	}
	var all []string
	for ; within(at, top); at = filepath.Dir(at) {
		all = append(all, at)
		if at == filepath.Dir(at) {
			break
		}
	}
	return all
}

func within(path, top string) bool {
	return path == top || strings.HasPrefix(path, strings.TrimSuffix(top, "/")+"/")
}

// mount is which group is mounted of that controller of version 1, or of version 2, and where; empty where none is.
func (g groups) mount(controller string, unified bool) (from, point string) {
	for _, line := range g.lines("proc/self/mountinfo") {
		// 36 35 0:31 ROOT POINT OPTIONS [FIELDS...] - TYPE SOURCE SUPER_OPTIONS
		mounted, of, found := strings.Cut(line, " - ")
		first, second := strings.Split(mounted, " "), strings.Split(of, " ")
		if !found || len(first) < 5 || len(second) < 3 {
			continue
		}
		if unified && second[0] == "cgroup2" ||
			!unified && second[0] == "cgroup" && slices.Contains(strings.Split(second[2], ","), controller) {
			return first[3], first[4]
		}
	}
	return "", ""
}

// lines are those of a file below the root; none where it cannot be read, as on a kernel without control groups.
func (g groups) lines(path string) []string {
	text, err := os.ReadFile(filepath.Join(g.root, path))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
