package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gobwas/ws"
)

const (
	fuzzMessageBytes = 20_000
	// fuzzPatience is how long an input may take.
	fuzzPatience = 5 * time.Second
)

// conversed are the bytes that a server answers to a client's frames, up to the end of the connection.
func conversed(t *testing.T, l *net.TCPListener, s *webSocketServer, input io.Reader) []byte {
	t.Helper()
	dialled, err := net.DialTCP("tcp4", nil, l.Addr().(*net.TCPAddr))
	if err != nil {
		t.Fatal(err)
	}
	defer dialled.Close()
	dialled.SetLinger(0) // A reset at the end, as TIME-WAIT would use up all ports.
	dialled.SetDeadline(time.Now().Add(fuzzPatience))
	accepted, err := l.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	dialled.CloseWrite() // The frames come from elsewhere; a server that waits for the peer's end has it.
	type all struct {
		bytes []byte
		err   error
	}
	read := make(chan all, 1)
	go func() {
		b, err := io.ReadAll(dialled)
		read <- all{b, err}
	}()
	talk := &conversation{
		stream: accepted,
		shard:  &s.counts.shards[0],
		in:     bufio.NewReaderSize(input, 256),
		state:  ws.StateServerSide,
	}
	for s.frame(talk) == nil {
	}
	accepted.CloseWrite()
	answer := <-read
	if answer.err != nil {
		t.Fatalf("no end of the answer: %v", answer.err)
	}
	if c := cap(talk.message); c > 2*(fuzzMessageBytes+stepBytes) {
		t.Fatalf("%d bytes are held for a message of %d at most", c, fuzzMessageBytes)
	}
	return answer.bytes
}

// FuzzWebSocketFrames: a client's frames are answered alike however they are cut, and by frames that a server may send.
func FuzzWebSocketFrames(f *testing.F) {
	for _, frames := range [][]byte{
		append(masked(ws.OpText, true, []byte("grüß")), masked(ws.OpPing, true, []byte("p"))...),
		append(masked(ws.OpText, false, []byte("ab")), masked(ws.OpContinuation, true, []byte("€"))...),
		masked(ws.OpClose, true, ws.NewCloseFrameBody(ws.StatusNormalClosure, "bye")),
		masked(ws.OpBinary, true, make([]byte, fuzzMessageBytes)),
		masked(ws.OpBinary, true, make([]byte, fuzzMessageBytes+1)),
		{0x82, 0x01, 'a'},
	} {
		f.Add(frames)
	}
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { l.Close() })
	s := &webSocketServer{counts: newCounts(), maxMessageBytes: fuzzMessageBytes}
	f.Fuzz(func(t *testing.T, input []byte) {
		before := s.counts.received()
		whole := conversed(t, l, s, bytes.NewReader(input))
		once := s.counts.received() - before
		pieces := conversed(t, l, s, iotest.OneByteReader(bytes.NewReader(input)))
		if !bytes.Equal(whole, pieces) {
			t.Fatalf("in one piece %x, byte by byte %x", whole, pieces)
		}
		if twice := s.counts.received() - before; twice != 2*once {
			t.Fatalf("in one piece %d bytes were counted, byte by byte %d", once, twice-once)
		}
		for rest := bytes.NewReader(whole); rest.Len() > 0; {
			frame, err := ws.ReadFrame(rest)
			if err != nil || frame.Header.Masked {
				t.Fatalf("%x has %+v, %v", whole, frame.Header, err)
			}
			if err := ws.CheckHeader(frame.Header, ws.StateClientSide); err != nil {
				t.Fatalf("%x has %+v: %v", whole, frame.Header, err)
			}
		}
	})
}
