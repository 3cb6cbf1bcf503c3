package workload

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	reserveLeast = 512 << 20
	reserveShare = 32
	memoryLeast  = 64 << 20
)

// Options is what every workload takes, and its own flags beside them.
type Options struct {
	*flag.FlagSet
	example string
	memory  string
	time    time.Duration
}

// NewOptions makes the flags of a workload; example ends its help.
func NewOptions(name, example string) *Options {
	o := &Options{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), example: example}
	o.SetOutput(io.Discard)
	o.StringVar(&o.memory, "memory-limit", "",
		"what the process may hold before it stops itself, e.g. 4G; without it four fifths of what the host has available;"+
			" a limit of its control group counts too")
	o.DurationVar(&o.time, "time-limit", 10*time.Minute, "how long it may take before it stops itself")
	return o
}

// parse reads the command line; asking for help is flag.ErrHelp, with the help already written.
func (o *Options) parse(args []string, help io.Writer) error {
	err := o.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		o.SetOutput(help)
		fmt.Fprintf(help, "Usage: %s [options]\n\n", o.Name())
		o.PrintDefaults()
		fmt.Fprintf(help, "\nExample:\n  %s\n", o.example)
		fmt.Fprintln(help, "\nExit status: 0 done, 1 ended before (ended_by and ended_detail say why), 2 bad usage,")
		fmt.Fprintln(help, "3 it could not run, or the line on stdout could not be written.")
		return err
	}
	if err == nil && o.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q: there are only options, --name value", o.Arg(0))
	}
	if err == nil && (o.time <= 0 || o.time > time.Hour) {
		err = fmt.Errorf("--time-limit %s is not allowed; up to 1h", o.time)
	}
	return err
}

// Within is an error that names an option whose value is out of its range.
func Within(name string, value, least, most int64) error {
	if value < least || value > most {
		return fmt.Errorf("--%s %d is not allowed; %d to %d", name, value, least, most)
	}
	return nil
}

// limits are those in force on this host.
func (o *Options) limits(now readings, total int64) (Limits, error) {
	asked, err := memory(o.memory)
	if err != nil {
		return Limits{}, err
	}
	l := Limits{ReserveBytes: max(reserveLeast, total/reserveShare), Time: o.time}
	group := ownGroups.memory()
	switch {
	case asked == 0:
		l.MemoryBytes, l.MemoryBy = now.available/5*4, "four fifths of what the host had available at the start"
	case group >= 0 && group <= asked:
		l.MemoryBytes, l.MemoryBy = asked, "--memory-limit, enforced by its control group too"
	default:
		l.MemoryBytes, l.MemoryBy = asked, "--memory-limit, enforced by its own readings alone"
	}
	if group >= 0 && group < l.MemoryBytes {
		l.MemoryBytes, l.MemoryBy = group, "limit of its control group"
	}
	l.Tasks, l.TasksBy = math.MaxInt64, "nothing"
	for _, t := range []struct {
		limit int64
		by    string
	}{
		{only("/proc/sys/kernel/pid_max"), "kernel.pid_max"},
		{only("/proc/sys/kernel/threads-max"), "kernel.threads-max"},
		{ownGroups.tasks(), "pids.max of its control group"},
		{processesOfUser(), "RLIMIT_NPROC"},
	} {
		if t.limit >= 0 && t.limit < l.Tasks {
			l.Tasks, l.TasksBy = t.limit, t.by
		}
	}
	return l, nil
}

func processesOfUser() int64 {
	limits, err := os.ReadFile("/proc/self/limits")
	if err != nil {
		return -1
	}
	return after(limits, "Max processes")
}

// memory reads 512M or 4G; 0 where nothing was given.
func memory(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	shift := map[byte]int{'M': 20, 'G': 30}[text[len(text)-1]]
	n, err := strconv.ParseInt(strings.TrimRight(text, "MG"), 10, 32)
	if err != nil || shift == 0 || n<<shift < memoryLeast || n<<shift > 1<<42 {
		return 0, fmt.Errorf("--memory-limit %q is not allowed; an amount of memory from 64M to 4096G", text)
	}
	return n << shift, nil
}
