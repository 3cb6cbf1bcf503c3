package main

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What the runtime does around a call of which it knows that it blocks. Their names are kept for others (go.dev/issue/67401).
//
//go:linkname entersyscallblock runtime.entersyscallblock
func entersyscallblock()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

// sleepOutside sleeps without the scheduler. time.Sleep would have a timer be looked after by all that look for work, and
// any other system call keeps a processor of the scheduler until it is missed, up to 10 ms later: both show in the CPU of an
// echo. This gives it up at once.
//
//go:nosplit
func sleepOutside(d time.Duration) {
	t := unix.Timespec{Sec: int64(d / time.Second), Nsec: int64(d % time.Second)}
	entersyscallblock()
	// EINTR ends the sleep early, which is no hiccup.
	unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, 0, uintptr(unsafe.Pointer(&t)), 0, 0, 0)
	exitsyscall()
}
