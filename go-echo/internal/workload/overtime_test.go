package workload

import "testing"

func TestPointsAreEvenHoweverLongItTakes(t *testing.T) {
	o := newOverTime()
	for ms := int64(0); ms < 200_000; ms += 20 {
		o.add(ms, ms*10, ms/1000)
	}
	points := o.points()
	times, rss := points["time_ms"], points["rss_bytes"]
	if len(times) < 300 || len(times) > 600 || len(rss) != len(times) || len(points["os_threads"]) != len(times) {
		t.Fatalf("%d times, %d sizes", len(times), len(rss))
	}
	if times[0] != 0 || times[len(times)-1] <= 199_000 {
		t.Errorf("from %d to %d ms, of 200,000", times[0], times[len(times)-1])
	}
	for i, ms := range times {
		if rss[i] != ms*10 || i > 0 && ms <= times[i-1] {
			t.Errorf("point %d: %d ms, %d bytes", i, ms, rss[i])
		}
	}
}
