package workload

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// readings is what the kernel says of this process and of the host; sizes in bytes.
type readings struct {
	rss, rssPeak, reserved, pageTables, threads int64
	available, hostTasks                        int64
}

// held is what counts against the memory limit.
func (r readings) held() int64 {
	return r.rss + r.pageTables + r.threads*kernelBytesPerThread
}

// sources are the files of /proc that readings come from, kept open: the guards ask while there may be no descriptor left.
type sources struct{ status, memory, load procFile }

func openSources() (*sources, error) {
	var s sources
	for _, f := range []struct {
		file *procFile
		path string
	}{{&s.status, "/proc/self/status"}, {&s.memory, "/proc/meminfo"}, {&s.load, "/proc/loadavg"}} {
		var err error
		if f.file.descriptor, err = unix.Open(f.path, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			s.close()
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return &s, nil
}

func (s *sources) close() {
	for _, f := range []*procFile{&s.status, &s.memory, &s.load} {
		if f.descriptor > 0 {
			_ = unix.Close(f.descriptor) // Nothing was written.
		}
	}
}

// procFile is an open file of /proc, which is read anew each time.
type procFile struct {
	descriptor int
	text       [8 << 10]byte
}

// read asks the kernel past the scheduler. A goroutine whose system call takes longer than 20 µs loses its processor, and
// then waits behind all that compute, for minutes where they are many: the guards must not.
func (f *procFile) read() ([]byte, error) {
	n, _, errno := unix.RawSyscall6(unix.SYS_PREAD64, uintptr(f.descriptor), uintptr(unsafe.Pointer(&f.text[0])),
		uintptr(len(f.text)), 0, 0, 0)
	if errno != 0 {
		return nil, errno
	}
	return f.text[:n], nil
}

// read is for those who ask but once.
func read() (readings, error) {
	s, err := openSources()
	if err != nil {
		return readings{}, err
	}
	defer s.close()
	return s.read()
}

func (s *sources) read() (readings, error) {
	status, err := s.status.read()
	if err != nil {
		return readings{}, err
	}
	memory, err := s.memory.read()
	if err != nil {
		return readings{}, err
	}
	load, err := s.load.read()
	if err != nil {
		return readings{}, err
	}
	return readings{
		rss:        after(status, "VmRSS:") << 10,
		rssPeak:    after(status, "VmHWM:") << 10,
		reserved:   after(status, "VmSize:") << 10,
		pageTables: after(status, "VmPTE:") << 10,
		threads:    after(status, "Threads:"),
		available:  after(memory, "MemAvailable:") << 10,
		hostTasks:  after(load, "/"),
	}, nil
}

// after is the number behind a key; -1 where there is none.
func after(text []byte, key string) int64 {
	_, rest, found := bytes.Cut(text, []byte(key))
	if !found {
		return -1
	}
	rest = bytes.TrimLeft(rest, " \t")
	end := bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	n, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// only is the one number of a file; -1 where it has none ("max") or is not there.
func only(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return -1
	}
	return n
}
