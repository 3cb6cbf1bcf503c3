// hlogread prints percentiles of one kind of time of an interval log, read by hdrhistogram-go: a second implementation
// beside HdrHistogram for Java, to check figures against. Usage: hlogread FILE TAG
//
// Output: one line of JSON with the recorded values, the maximum, and the value at each percentile, in ns.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

type figures struct {
	Count       int64            `json:"count"`
	Max         int64            `json:"max"`
	Percentiles map[string]int64 `json:"percentiles"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: hlogread FILE TAG")
		os.Exit(2)
	}
	found, err := read(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func read(file, tag string) (figures, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return figures{}, err
	}
	sum := hdr.New(1, 3_600_000_000_000, 3)
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		rest, tagged := strings.CutPrefix(lines.Text(), "Tag="+tag+",")
		if !tagged {
			continue
		}
		fields := strings.Split(rest, ",")
		interval, err := hdr.Decode([]byte(fields[len(fields)-1]))
		if err != nil {
			return figures{}, fmt.Errorf("%s: %q: %w", file, rest, err)
		}
		if dropped := sum.Merge(interval); dropped != 0 {
			return figures{}, fmt.Errorf("%s: %d values were outside of the histogram", file, dropped)
		}
	}
	found := figures{Count: sum.TotalCount(), Max: sum.Max(), Percentiles: map[string]int64{}}
	for name, p := range map[string]float64{"p50": 50, "p90": 90, "p99": 99, "p999": 99.9, "p9999": 99.99} {
		// The value that at least p % of all do not exceed, as HdrHistogram for Java has it: this library rounds the rank
		// instead, which in a thin tail is another message. So it is asked for the very rank.
		rank := math.Max(1, math.Ceil(math.Nextafter(p, 0)/100*float64(found.Count)))
		found.Percentiles[name] = sum.ValueAtQuantile(100 * rank / float64(found.Count))
	}
	return found, lines.Err()
}
