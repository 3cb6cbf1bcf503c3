package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gobwas/ws"
	"go.uber.org/goleak"
)

// upgradeRequest is the example of RFC 6455, 1.3.
const upgradeRequest = "GET /echo HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"

// startWebSocket runs a server inside the test and stops it with the test.
func startWebSocket(t *testing.T) (*counts, *webSocketServer, string) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	c := newCounts()
	l, err := listen("127.0.0.1", 0, 128, c, log.New(t.Output(), "", 0))
	if err != nil {
		t.Fatal(err)
	}
	s := newWebSocketServer(l, c, &options{bufferBytes: 256, maxMessageBytes: 200_000})
	go s.serve()
	t.Cleanup(func() {
		s.drain(0)
		goleak.VerifyNone(t, before)
	})
	return c, s, l.Addr().String()
}

// upgraded is a connection that speaks frames.
func upgraded(t *testing.T, address string) (*net.TCPConn, *bufio.Reader) {
	t.Helper()
	c := connect(t, address)
	io.WriteString(c, upgradeRequest)
	in := bufio.NewReader(c)
	response, err := http.ReadResponse(in, nil)
	if err != nil || response.StatusCode != http.StatusSwitchingProtocols ||
		response.Header.Get("Sec-WebSocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		t.Fatalf("answered %v, %v", response, err)
	}
	return c, in
}

func masked(opcode ws.OpCode, fin bool, payload []byte) []byte {
	return ws.MustCompileFrame(ws.MaskFrame(ws.NewFrame(opcode, fin, payload)))
}

func expectFrame(t *testing.T, in io.Reader, opcode ws.OpCode, payload []byte) {
	t.Helper()
	f, err := ws.ReadFrame(in)
	if err != nil {
		t.Fatalf("no frame: %v", err)
	}
	if f.Header.Masked || !f.Header.Fin || f.Header.OpCode != opcode || !bytes.Equal(f.Payload, payload) {
		t.Fatalf("%+v with %d bytes; expected opcode %d with %d", f.Header, len(f.Payload), opcode, len(payload))
	}
}

func TestWebSocketEchoesMessagesInFramesAndFragments(t *testing.T) {
	counts, _, address := startWebSocket(t)
	c, in := upgraded(t, address)
	total := int64(0)
	for _, size := range []int{0, 1, 125, 126, 65_535, 65_536, 200_000} {
		message := randomBytes(size)
		go c.Write(masked(ws.OpBinary, true, message))
		expectFrame(t, in, ws.OpBinary, message)
		total += int64(size)
	}
	text := []byte("grüß dich")
	c.Write(masked(ws.OpText, false, text[:3])) // Within a character.
	c.Write(masked(ws.OpPing, true, []byte("between")))
	c.Write(masked(ws.OpContinuation, false, nil))
	c.Write(masked(ws.OpContinuation, true, text[3:]))
	expectFrame(t, in, ws.OpPong, []byte("between"))
	expectFrame(t, in, ws.OpText, text)
	total += int64(len(text))
	c.Write(masked(ws.OpPong, true, []byte("unasked")))
	c.Write(masked(ws.OpClose, true, ws.NewCloseFrameBody(ws.StatusNormalClosure, "bye")))
	expectFrame(t, in, ws.OpClose, []byte{0x03, 0xe8})
	if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
		t.Errorf("after the close %d bytes and %v", len(rest), err)
	}
	if counts.received() != total || counts.sent() != total {
		t.Errorf("counted %d and %d bytes of %d", counts.received(), counts.sent(), total)
	}
	c.Close()
	await(t, "no connection open", func() bool { return counts.open() == 0 })
}

func TestWebSocketEndsWithTheCloseCode(t *testing.T) {
	_, _, address := startWebSocket(t)
	for _, wrong := range []struct {
		name, hex string
		code      ws.StatusCode
	}{
		{"not masked", "820161", ws.StatusProtocolError},
		{"a reserved bit", "c28000000000", ws.StatusProtocolError},
		{"an unknown opcode", "838000000000", ws.StatusProtocolError},
		{"a ping in fragments", "098000000000", ws.StatusProtocolError},
		{"a long ping", "89fe007e00000000", ws.StatusProtocolError},
		{"a continuation of nothing", "808000000000", ws.StatusProtocolError},
		{"a message within another", "028000000000828000000000", ws.StatusProtocolError},
		{"a length with the highest bit", "82ff800000000000000000000000", ws.StatusProtocolError},
		{"too large", "82ff0000000000030d4100000000", ws.StatusMessageTooBig},
		{"no text", "818100000000ff", ws.StatusInvalidFramePayloadData},
		{"half a close code", "88810000000003", ws.StatusProtocolError},
		{"a close code of nobody", "88820000000003ed", ws.StatusProtocolError},
		{"a close code beyond all", "8882000000001388", ws.StatusProtocolError},
		{"a reason that is no text", "88830000000003e8ff", ws.StatusInvalidFramePayloadData},
	} {
		t.Run(wrong.name, func(t *testing.T) {
			frames, err := hex.DecodeString(wrong.hex)
			if err != nil {
				t.Fatal(err)
			}
			c, in := upgraded(t, address)
			c.Write(frames)
			expectFrame(t, in, ws.OpClose, ws.NewCloseFrameBody(wrong.code, ""))
			if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
				t.Errorf("after the close %d bytes and %v", len(rest), err)
			}
			c.Close()
		})
	}
}

func TestAWholeURLHasAPath(t *testing.T) {
	for target, path := range map[string]string{
		"/echo": "/echo", "/echo?id=7": "/echo", "http://x/echo": "/echo", "HTTP://x:80/echo?id=7": "/echo", "http://x?/echo": "",
		"//x/echo": "//x/echo", "/http://x/echo": "/http://x/echo", "ftp://x/echo": "ftp://x/echo", "*": "*", "": "",
	} {
		if got := pathOf([]byte(target)); got != path {
			t.Errorf("%q has the path %q; expected %q", target, got, path)
		}
	}
}

func TestWebSocketTakesAWholeURL(t *testing.T) {
	_, _, address := startWebSocket(t)
	c := connect(t, address)
	io.WriteString(c, strings.Replace(upgradeRequest, "/echo", "http://x/echo?id=7", 1))
	if response, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("answered %v, %v", response, err)
	}
}

func TestWebSocketRefusesWhatIsNoUpgrade(t *testing.T) {
	_, _, address := startWebSocket(t)
	for _, wrong := range []struct {
		what, by string
		status   int
	}{
		{"/echo", "/other", http.StatusNotFound},
		{"GET", "POST", http.StatusMethodNotAllowed},
		{"Upgrade: websocket\r\n", "", http.StatusBadRequest},
		{"Version: 13", "Version: 8", http.StatusUpgradeRequired},
		{"dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ=", http.StatusBadRequest},
	} {
		t.Run(wrong.what, func(t *testing.T) {
			c := connect(t, address)
			response, _ := exchange(t, c, bufio.NewReader(c), strings.Replace(upgradeRequest, wrong.what, wrong.by, 1))
			if response.StatusCode != wrong.status {
				t.Errorf("answered %s", response.Status)
			}
			c.Close()
		})
	}
}

func TestWebSocketDrainEchoesWhatCameAndGoesAway(t *testing.T) {
	counts, server, address := startWebSocket(t)
	c, in := upgraded(t, address)
	message := randomBytes(10_000)
	c.Write(masked(ws.OpBinary, true, message))
	drained := make(chan int)
	go func() { drained <- server.drain(patience) }()
	expectFrame(t, in, ws.OpBinary, message)
	expectFrame(t, in, ws.OpClose, ws.NewCloseFrameBody(ws.StatusGoingAway, ""))
	if left := <-drained; left != 0 || counts.open() != 0 {
		t.Errorf("%d connections had to be closed by force, %d are open", left, counts.open())
	}
}

func TestWebSocketServerTellsItsProtocol(t *testing.T) {
	r := start(t, 0, "--protocol", "websocket", "--max-message-bytes", "5000")
	if r.Server != "go-websocket" || r.Config["max_message_bytes"] != 5000.0 || r.Config["buffer_bytes"] != 256.0 {
		t.Errorf("ready line: %+v", r.readyLine)
	}
}
