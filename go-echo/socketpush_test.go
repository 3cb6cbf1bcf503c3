//go:build !netpoll

package main

import (
	"bytes"
	"io"
	"log"
	"net"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

func startSocketPush(t *testing.T) (*counts, *webSocketServer, string) {
	t.Helper()
	c := newCounts()
	l, err := listen("127.0.0.1", 0, 128, c, log.New(t.Output(), "", 0))
	if err != nil {
		t.Fatal(err)
	}
	s := newWebSocketServerOf(l, c, &options{
		bufferBytes: 256, maxMessageBytes: defaultMaxMessageBytes,
		model: modelOptions{traffic: trafficPush, pushQueueBytes: 1 << 20, slowReader: slowDisconnect},
	}, nil)
	go s.serve()
	t.Cleanup(func() { s.drain(0) })
	return c, s, l.Addr().String()
}

func dialed(t *testing.T, address string) net.Conn {
	t.Helper()
	c, _, _, err := ws.Dial(t.Context(), "ws://"+address+webSocketPath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func say(t *testing.T, c net.Conn, kind byte, topic uint32, body []byte) {
	t.Helper()
	if err := wsutil.WriteClientBinary(c, pushFrame(kind, topic, body)[lengthBytes:]); err != nil {
		t.Fatal(err)
	}
}

func hears(t *testing.T, c net.Conn, kind byte, topic uint32, body []byte) {
	t.Helper()
	frame, err := ws.ReadFrame(c)
	want := pushFrame(kind, topic, body)[lengthBytes:]
	if err != nil || frame.Header.OpCode != ws.OpBinary || !frame.Header.Fin || !bytes.Equal(frame.Payload, want) {
		t.Fatalf("got %v with % x (error %v), expected % x", frame.Header, frame.Payload[:min(20, len(frame.Payload))], err, want[:min(20, len(want))])
	}
}

func TestPushesOverWebSocketAndSaysGoodbye(t *testing.T) {
	counts, server, address := startSocketPush(t)
	one, other, publisher := dialed(t, address), dialed(t, address), dialed(t, address)
	for _, c := range []net.Conn{one, other} {
		say(t, c, kindSubscribe, 7, nil)
		hears(t, c, kindSubscribed, 7, nil)
	}
	for _, body := range [][]byte{{}, randomBytes(100), randomBytes(300), randomBytes(mostBodyBytes)} {
		say(t, publisher, kindPublish, 7, body)
		hears(t, one, kindMessage, 7, body)
		hears(t, other, kindMessage, 7, body)
		hears(t, publisher, kindPublished, 7, []byte{0, 0, 0, 2})
	}
	say(t, other, kindLeave, 7, nil)
	hears(t, other, kindLeft, 7, nil)
	if err := wsutil.WriteClientMessage(one, ws.OpPing, []byte("there?")); err != nil {
		t.Fatal(err)
	}
	if frame, err := ws.ReadFrame(one); err != nil || frame.Header.OpCode != ws.OpPong || string(frame.Payload) != "there?" {
		t.Fatalf("%v %q (error %v)", frame.Header, frame.Payload, err)
	}
	if left := server.drain(patience); left != 0 {
		t.Errorf("%d connections did not end by themselves", left)
	}
	for _, c := range []net.Conn{one, other, publisher} {
		if frame, err := ws.ReadFrame(c); err != nil || frame.Header.OpCode != ws.OpClose {
			t.Errorf("%v (error %v) at the end", frame.Header, err)
		}
	}
	if counts.messages() != 8 || counts.dropped() != 0 || counts.queued() != 0 {
		t.Errorf("%d messages, %d dropped, %d bytes queued", counts.messages(), counts.dropped(), counts.queued())
	}
}

func TestWhoPingsAndDoesNotReadIsNotReadFrom(t *testing.T) {
	const mostBytes = 64 << 20
	counts, _, address := startSocketPush(t)
	c := dialed(t, address)
	c.(*net.TCPConn).SetReadBuffer(4 << 10)
	ping := ws.MustCompileFrame(ws.MaskFrame(ws.NewPingFrame(make([]byte, ws.MaxControlFramePayloadSize))))
	pings := bytes.Repeat(ping, 1000)
	sent := 0
	for sent < mostBytes {
		// Where the server reads no more, the write ends by this.
		c.SetWriteDeadline(time.Now().Add(2 * time.Second))
		n, err := c.Write(pings)
		sent += n
		if err != nil {
			break
		}
	}
	if queued := counts.queued(); queued > 1<<20+batchBytes+int64(len(ping)) {
		t.Errorf("%d bytes are queued for who sent %d bytes of pings", queued, sent)
	}
}

func TestWhatIsNoFrameOfPushEndsItsConnection(t *testing.T) {
	counts, _, address := startSocketPush(t)
	for i, payload := range [][]byte{{}, {kindSubscribe}, {kindSubscribe, 0, 0, 0, 0, 1}, {kindMessage, 0, 0, 0, 0}, {kindPublish, 0x80, 0, 0, 0}} {
		c := dialed(t, address)
		if err := wsutil.WriteClientBinary(c, payload); err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, c)
		await(t, "it is counted", func() bool { return counts.push.malformed.Load() == int64(i+1) })
	}
	c := dialed(t, address)
	if err := wsutil.WriteClientText(c, []byte{kindSubscribe, 0, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, c)
	await(t, "text is counted", func() bool { return counts.push.malformed.Load() == 6 && counts.open() == 0 })
}
