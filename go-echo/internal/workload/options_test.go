package workload

import "testing"

// FuzzMemory: an amount of memory is within its bounds, or refused.
func FuzzMemory(f *testing.F) {
	for _, text := range []string{"", "4G", "512M", "63M", "4097G", "-1G", "M", "1GM", "9999999999G"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bytes, err := memory(text)
		if err == nil && text != "" && (bytes < memoryLeast || bytes > 1<<42) {
			t.Fatalf("%q was taken for %d bytes", text, bytes)
		}
	})
}
