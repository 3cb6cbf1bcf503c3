package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// startHTTP runs a server inside the test; prepare, if any, sees it before it serves.
func startHTTP(t *testing.T, prepare ...func(*httpServer)) (*counts, *httpServer, string) {
	t.Helper()
	c := newCounts()
	logger := log.New(t.Output(), "", 0)
	l, err := listen("127.0.0.1", 0, 128, c, logger)
	if err != nil {
		t.Fatal(err)
	}
	s := newHTTPServer(l, c, logger)
	for _, f := range prepare {
		f(s)
	}
	go s.serve()
	t.Cleanup(func() { s.drain(0) })
	return c, s, l.Addr().String()
}

// exchange writes a request as it stands and reads one answer.
func exchange(t *testing.T, c net.Conn, in *bufio.Reader, request string) (*http.Response, []byte) {
	t.Helper()
	go io.WriteString(c, request) // A refused request may leave no room for the rest of it.
	response, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("no whole answer: %v", err)
	}
	return response, body
}

func post(body []byte) string {
	return fmt.Sprintf("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func postChunked(body []byte) string {
	var b strings.Builder
	b.WriteString("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
	for len(body) > 0 {
		n := min(1000, len(body))
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	b.WriteString("0\r\n\r\n")
	return b.String()
}

func TestHTTPEchoesBodiesOnOneConnection(t *testing.T) {
	counts, _, address := startHTTP(t)
	c := connect(t, address)
	in := bufio.NewReader(c)
	total := int64(0)
	for _, size := range []int{0, 1, 64, 100_000, maxBodyBytes} {
		body := randomBytes(size)
		for _, request := range []string{post(body), postChunked(body)} {
			response, got := exchange(t, c, in, request)
			if response.StatusCode != http.StatusOK || !bytes.Equal(got, body) {
				t.Errorf("%d bytes: %s with %d bytes", size, response.Status, len(got))
			}
			total += int64(size)
		}
	}
	if counts.received() != total || counts.accepted.Load() != 1 || counts.open() != 1 {
		t.Errorf("counted %d bytes on %d connections, %d open; expected %d on 1, open",
			counts.received(), counts.accepted.Load(), counts.open(), total)
	}
	c.Close()
	await(t, "no connection open", func() bool { return counts.open() == 0 })
}

func TestHTTPAnswersPipelinedRequestsInOrder(t *testing.T) {
	_, _, address := startHTTP(t)
	c := connect(t, address)
	in := bufio.NewReader(c)
	io.WriteString(c, post([]byte("one"))+post([]byte("two"))+post([]byte("three")))
	c.CloseWrite()
	for _, want := range []string{"one", "two", "three"} {
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("no answer to %q: %v", want, err)
		}
		if got, _ := io.ReadAll(response.Body); string(got) != want {
			t.Errorf("answered %q, expected %q", got, want)
		}
	}
}

func TestHTTPRefusesWhatIsNoRightRequest(t *testing.T) {
	_, _, address := startHTTP(t)
	large := randomBytes(maxBodyBytes + 1)
	for _, wrong := range []struct {
		name, request string
		status        int
		says          string
	}{
		{"body by its length", post(large), http.StatusRequestEntityTooLarge, "1048576"},
		{"body in chunks", postChunked(large), http.StatusRequestEntityTooLarge, "1048576"},
		{"header", "GET /api/light HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 2*maxHeaderBytes) + "\r\n\r\n",
			http.StatusRequestHeaderFieldsTooLarge, ""},
		{"no HTTP", "what is this\r\n\r\n", http.StatusBadRequest, "400"},
		{"no host", "GET /api/light HTTP/1.1\r\n\r\n", http.StatusBadRequest, "Host"},
		{"no such path", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", http.StatusNotFound, ""},
		{"method", "GET /echo HTTP/1.1\r\nHost: x\r\n\r\n", http.StatusMethodNotAllowed, ""},
		{"no duration", "GET /api/heavy HTTP/1.1\r\nHost: x\r\n\r\n", http.StatusBadRequest, "0 to 60000"},
		{"no number", "GET /api/heavy?duration=1s HTTP/1.1\r\nHost: x\r\n\r\n", http.StatusBadRequest, "0 to 60000"},
		{"negative", "GET /api/heavy?duration=-1 HTTP/1.1\r\nHost: x\r\n\r\n", http.StatusBadRequest, "0 to 60000"},
		{"too long", "GET /api/heavy?duration=60001 HTTP/1.1\r\nHost: x\r\n\r\n", http.StatusBadRequest, "0 to 60000"},
	} {
		t.Run(wrong.name, func(t *testing.T) {
			c := connect(t, address)
			response, body := exchange(t, c, bufio.NewReader(c), wrong.request)
			if response.StatusCode != wrong.status || !strings.Contains(string(body), wrong.says) {
				t.Errorf("answered %s, %q", response.Status, body)
			}
			if strings.Contains(string(body), "goroutine") || strings.Contains(string(body), ".go:") {
				t.Errorf("the answer tells the peer of the inside: %q", body)
			}
			c.Close()
		})
	}
}

func TestHTTPHeavyTakesItsTimeAndBlocksNobody(t *testing.T) {
	_, _, address := startHTTP(t)
	slow, quick := connect(t, address), connect(t, address)
	begin := time.Now()
	io.WriteString(slow, "GET /api/heavy?duration=300 HTTP/1.1\r\nHost: x\r\n\r\n")
	response, _ := exchange(t, quick, bufio.NewReader(quick), "GET /api/light HTTP/1.1\r\nHost: x\r\n\r\n")
	if response.StatusCode != http.StatusOK {
		t.Errorf("light answered %s", response.Status)
	}
	response, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("heavy answered %v, %v", response, err)
	}
	response.Body.Close()
	if took := time.Since(begin); took < 300*time.Millisecond {
		t.Errorf("heavy answered after %s", took)
	}
}

func TestHTTPDrainFinishesWhatIsUnderWay(t *testing.T) {
	begun := make(chan struct{}, 2)
	counts, server, address := startHTTP(t, func(s *httpServer) {
		endpoints := s.http.Handler
		s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun <- struct{}{}
			endpoints.ServeHTTP(w, r)
		})
	})
	idle, busy := connect(t, address), connect(t, address)
	exchange(t, idle, bufio.NewReader(idle), post([]byte("once")))
	io.WriteString(busy, "GET /api/heavy?duration=500 HTTP/1.1\r\nHost: x\r\n\r\n")
	<-begun
	<-begun
	drained := make(chan int)
	go func() { drained <- server.drain(patience) }()
	if response, err := http.ReadResponse(bufio.NewReader(busy), nil); err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("what was under way got %v, %v", response, err)
	}
	if left := <-drained; left != 0 {
		t.Errorf("%d connections had to be closed by force", left)
	}
	if rest, err := io.ReadAll(idle); err != nil || len(rest) > 0 {
		t.Errorf("the idle connection got %q, %v", rest, err)
	}
	if counts.open() != 0 {
		t.Errorf("%d still open", counts.open())
	}
}

func TestHTTPServerTellsItsProtocol(t *testing.T) {
	r := start(t, 0, "--protocol", "http")
	if r.Config["protocol"] != "http" || r.Config["max_body_bytes"] != float64(maxBodyBytes) {
		t.Errorf("config: %v", r.Config)
	}
	c := connect(t, r.address())
	if _, body := exchange(t, c, bufio.NewReader(c), post([]byte("hello"))); string(body) != "hello" {
		t.Errorf("echoed %q", body)
	}
	if got := r.metric(t, "echo_received_bytes_total"); got != 5 {
		t.Errorf("counted %v bytes of the body of 5", got)
	}
}
