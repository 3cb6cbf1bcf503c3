//go:build !netpoll

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"testing"
	"time"
)

// startEvents runs a server inside the test and stops it with the test.
func startEvents(t *testing.T, slowReader string) (*counts, *httpServer, string) {
	t.Helper()
	c := newCounts()
	logger := log.New(t.Output(), "", 0)
	l, err := listen("127.0.0.1", 0, 128, c, logger)
	if err != nil {
		t.Fatal(err)
	}
	s := newEventServer(l, c, &options{
		protocol: protocolHTTP, model: modelOptions{traffic: trafficPush, pushQueueBytes: 64 << 10, slowReader: slowReader},
	}, logger)
	go s.serve()
	t.Cleanup(func() { s.drain(0) })
	return c, s, l.Addr().String()
}

func subscribeTo(t *testing.T, address string, topic int) (io.Closer, *bufio.Reader) {
	t.Helper()
	response, err := http.Get(fmt.Sprintf("http://%s/subscribe?topic=%d", address, topic))
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s, %s", response.Status, response.Header.Get("Content-Type"))
	}
	return response.Body, bufio.NewReader(response.Body)
}

func publishTo(t *testing.T, address string, topic int, body string) string {
	t.Helper()
	response, err := http.Post(fmt.Sprintf("http://%s/publish?topic=%d", address, topic), "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %q (error %v)", response.Status, answer, err)
	}
	return string(answer)
}

func expectEvent(t *testing.T, in *bufio.Reader, body string) {
	t.Helper()
	want := "data: " + body + "\n\n"
	got := make([]byte, len(want))
	if n, err := io.ReadFull(in, got); err != nil || string(got) != want {
		t.Fatalf("got %q (error %v), expected %q", got[:min(n, 40)], err, want[:min(len(want), 40)])
	}
}

func TestPushesEventsToWhoSubscribed(t *testing.T) {
	counts, server, address := startEvents(t, slowDisconnect)
	one, events := subscribeTo(t, address, 7)
	defer one.Close()
	other, others := subscribeTo(t, address, 7)
	long := strings.Repeat("long ", 10_000)
	for _, body := range []string{"first", "", long, "ü€"} {
		if got := publishTo(t, address, 7, body); got != "2\n" {
			t.Errorf("published to %q", got)
		}
		expectEvent(t, events, body)
		expectEvent(t, others, body)
	}
	if got := publishTo(t, address, 8, "nobody"); got != "0\n" {
		t.Errorf("published to %q", got)
	}
	other.Close()
	await(t, "one has a subscription", func() bool { return counts.push.subscriptions.Load() == 1 })
	if got := publishTo(t, address, 7, "alone"); got != "1\n" {
		t.Errorf("published to %q", got)
	}
	expectEvent(t, events, "alone")
	await(t, "all is counted", func() bool { return counts.messages() == 9 && counts.queued() == 0 })
	if left := server.drain(patience); left != 0 {
		t.Errorf("%d connections did not end by themselves", left)
	}
	if rest, err := io.ReadAll(events); err != nil || len(rest) != 0 {
		t.Errorf("the stream ended with %q (error %v)", rest, err)
	}
}

func TestRefusesWhatIsNoPublishAndGoesOn(t *testing.T) {
	counts, _, address := startEvents(t, slowDisconnect)
	c := connect(t, address)
	in := bufio.NewReader(c)
	large := strings.Repeat("x", maxBodyBytes+1)
	for _, of := range []struct {
		request string
		status  int
	}{
		{"GET /subscribe HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"GET /subscribe?topic=-1 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"GET /subscribe?topic=2147483648 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"POST /publish?topic=x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na", 400},
		{"POST /publish?topic=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na\nb", 400},
		{"POST /publish?topic=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\r", 400},
		{"POST /publish?topic=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\xff", 400},
		{"POST /subscribe?topic=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405},
		{"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 404},
		{"POST /publish?topic=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na", 200},
		{fmt.Sprintf("POST /publish?topic=1 HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(large), large), 413},
	} {
		if response, _ := exchange(t, c, in, of.request); response.StatusCode != of.status {
			t.Errorf("%.60q: %s", of.request, response.Status)
		}
	}
	if got := counts.push.malformed.Load(); got != 7 {
		t.Errorf("%d requests were counted as malformed", got)
	}
}

func TestASubscriberThatDoesNotReadIsResetAndDelaysNobody(t *testing.T) {
	counts, _, address := startEvents(t, slowDisconnect)
	slow := connect(t, address)
	slow.SetReadBuffer(4 << 10)
	io.WriteString(slow, "GET /subscribe?topic=1 HTTP/1.1\r\nHost: x\r\n\r\n")
	await(t, "it has a subscription", func() bool { return counts.push.subscriptions.Load() == 1 })
	other, events := subscribeTo(t, address, 1)
	defer other.Close()
	body := string(bytes.Repeat([]byte("x"), 16<<10))
	for end := time.Now().Add(patience); counts.push.disconnected.Load() == 0; {
		if time.Now().After(end) {
			t.Fatal("it was not ended")
		}
		publishTo(t, address, 1, body)
		expectEvent(t, events, body)
	}
	await(t, "one has a subscription", func() bool { return counts.push.subscriptions.Load() == 1 })
	await(t, "nothing is queued", func() bool { return counts.queued() == 0 })
	if counts.dropped() == 0 {
		t.Error("nothing of what waited for it was counted as dropped")
	}
}
