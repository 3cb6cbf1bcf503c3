package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzOptions: a command line ends in options that are allowed, or in an error that says something.
func FuzzOptions(f *testing.F) {
	for _, line := range []string{
		"--port 9000 --metrics-port 9100 --backlog 1",
		"--protocol http --drain 500ms",
		"--protocol http --" + bufferBytesFlag + " 1",
		"--gogc -1 --gomaxprocs 1024 --hiccup-meter off --entry tuned",
		"--host= x",
		"--server my-server",
		"-h",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		o, err := parseOptions(strings.Split(line, " "), io.Discard)
		if err == nil {
			err = o.check()
			if err != nil {
				t.Fatalf("%q was taken, although %v", line, err)
			}
			return
		}
		if strings.TrimSpace(err.Error()) == "" {
			t.Fatalf("%q was refused without a word", line)
		}
	})
}

// FuzzHeavy: whatever the query is, the answer is that it is not allowed, or a wait, which here ends with the peer.
func FuzzHeavy(f *testing.F) {
	for _, query := range []string{"duration=500", "duration=-1", "duration=60001", "duration=%35", "a=b;duration=1", ""} {
		f.Add(query)
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	f.Fuzz(func(t *testing.T, query string) {
		answer := httptest.NewRecorder()
		heavy(answer, (&http.Request{URL: &url.URL{RawQuery: query}}).WithContext(gone))
		if answer.Code != http.StatusOK && answer.Code != http.StatusBadRequest {
			t.Fatalf("%q was answered by status %d", query, answer.Code)
		}
	})
}
