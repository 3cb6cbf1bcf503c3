package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

const (
	webSocketPath          = "/echo"
	defaultMaxMessageBytes = 1 << 20
	maxMessageBytesFlag    = "max-message-bytes"
	// upgradeTimeout bounds how long an upgrade may take, from the connect, or from the end of the handshake of TLS. Afterwards a
	// connection may idle for ever.
	upgradeTimeout = 10 * time.Second
	// headRoom is what the head of a frame that is sent can take, in front of its payload.
	headRoom = 10
	// stepBytes is read at once of a message: what its head announces is not there yet.
	stepBytes = 64 << 10
	// lingerTime and lingerBytes bound what a peer may send that was told of the end: a close with bytes unread would be a
	// reset, which may overtake the last frame.
	lingerTime  = 2 * time.Second
	lingerBytes = 2 << 20
)

var errLeft = errors.New("the conversation has ended")

// webSocketServer sends back each message of RFC 6455 with its opcode, a message in fragments in one frame. A goroutine per
// connection does it with the frames of gobwas/ws, which needs no http.Server and so none of its buffers.
type webSocketServer struct {
	listener        *listener
	counts          *counts
	upgrader        ws.Upgrader
	bufferBytes     int
	maxMessageBytes int64
	tls             *tls.Config // nil = plain
	accepting       sync.WaitGroup
	conversing      sync.WaitGroup
	stopping        atomic.Bool
	// pushes makes what takes the messages of a connection; nil = they are sent back.
	pushes func(*connection) pusher
}

// pusher takes the messages of a connection, and writes all that goes out there.
type pusher interface {
	message(opcode ws.OpCode, payload []byte) error
	control(framed []byte)
	done(err error)
}

// conversation is what a connection takes once it is upgraded.
type conversation struct {
	stream
	shard   *shard
	in      *bufio.Reader
	state   ws.State
	opcode  ws.OpCode
	head    [ws.MaxHeaderSize]byte
	control [ws.MaxControlFramePayloadSize]byte
	// message is the message so far, behind headRoom.
	message []byte
	push    pusher
}

func newWebSocketServer(l *listener, c *counts, o *options) *webSocketServer {
	s := &webSocketServer{listener: l, counts: c, bufferBytes: o.bufferBytes, maxMessageBytes: int64(o.maxMessageBytes)}
	s.upgrader.OnRequest = func(uri []byte) error {
		if pathOf(uri) != webSocketPath {
			return ws.RejectConnectionError(ws.RejectionStatus(http.StatusNotFound), ws.RejectionReason("there is "+webSocketPath))
		}
		return nil
	}
	s.accepting.Add(1)
	return s
}

// pathOf is the path of a request's target, also of one that is a whole URL (RFC 9112, 3.2.2).
func pathOf(target []byte) string {
	if !bytes.HasPrefix(target, []byte("/")) {
		if u, err := url.ParseRequestURI(string(target)); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			return u.EscapedPath()
		}
	}
	path, _, _ := bytes.Cut(target, []byte("?"))
	return string(path)
}

func (s *webSocketServer) serve() {
	defer s.accepting.Done()
	s.listener.each(s.counts, &s.conversing, s.converse)
}

func (s *webSocketServer) converse(c *connection) {
	defer s.conversing.Done()
	defer c.shard.remove(c)
	defer c.Close()
	conn, err := c.over(s.tls)
	if err != nil {
		return
	}
	defer conn.Close()
	c.SetReadDeadline(time.Now().Add(upgradeTimeout)) // Its error is that of a closed connection, which the read tells too.
	in := bufio.NewReaderSize(conn, s.bufferBytes)
	if _, err := s.upgrader.Upgrade(byLine{in, conn}); err != nil {
		linger(conn)
		return // It has answered what is wrong with the request.
	}
	c.SetReadDeadline(time.Time{})
	// A drain that came in between has ended the reading for good, whatever the deadline.
	t := &conversation{stream: conn, shard: c.shard, in: in, state: ws.StateServerSide}
	if s.pushes != nil {
		t.push = s.pushes(c)
	}
	for {
		err := s.frame(t)
		switch {
		case err == nil:
			continue
		case err == io.EOF && s.stopping.Load():
			t.end(ws.StatusGoingAway)
		case err != errLeft && t.push != nil:
			t.push.done(err)
		}
		return
	}
}

// byLine gives the upgrader a line at a time: what it has read beyond the request, it would drop with its buffer.
type byLine struct {
	in *bufio.Reader
	io.Writer
}

func (r byLine) Read(p []byte) (int, error) {
	if _, err := r.in.Peek(1); err != nil {
		return 0, err
	}
	there, _ := r.in.Peek(min(r.in.Buffered(), len(p))) // It is there.
	if end := bytes.IndexByte(there, '\n'); end >= 0 {
		there = there[:end+1]
	}
	return r.in.Read(p[:len(there)])
}

// frame takes one. An error ends the connection; where the peer is to know why, it was told.
func (s *webSocketServer) frame(t *conversation) error {
	h, err := ws.ReadHeaderBuffer(t.in, t.head[:])
	if errors.Is(err, ws.ErrHeaderLengthMSB) || errors.Is(err, ws.ErrHeaderLengthUnexpected) {
		return t.end(ws.StatusProtocolError)
	}
	if err != nil {
		return err
	}
	if ws.CheckHeader(h, t.state) != nil {
		return t.end(ws.StatusProtocolError)
	}
	if h.OpCode.IsControl() {
		return t.answer(h)
	}
	if h.Length > s.maxMessageBytes-int64(max(0, len(t.message)-headRoom)) {
		return t.end(ws.StatusMessageTooBig)
	}
	return t.data(h)
}

// data takes a frame of a message, and sends the message back where it is the last one.
func (t *conversation) data(h ws.Header) error {
	if h.OpCode != ws.OpContinuation {
		t.opcode = h.OpCode
		t.message = append(t.message[:0], make([]byte, headRoom)...)
	}
	for left := int(h.Length); left > 0; {
		from := len(t.message)
		step := min(left, stepBytes)
		t.message = append(t.message, make([]byte, step)...)
		if _, err := io.ReadFull(t.in, t.message[from:]); err != nil {
			return err
		}
		ws.Cipher(t.message[from:], h.Mask, int(h.Length)-left)
		left -= step
	}
	if !h.Fin {
		t.state = t.state.Set(ws.StateFragmented)
		return nil
	}
	t.state = t.state.Clear(ws.StateFragmented)
	payload := len(t.message) - headRoom
	if t.opcode == ws.OpText && !utf8.Valid(t.message[headRoom:]) {
		return t.end(ws.StatusInvalidFramePayloadData)
	}
	t.shard.received.Add(int64(payload))
	err := t.taken(payload)
	t.message = t.message[:0]
	if cap(t.message) > stepBytes {
		t.message = nil // So that one large message does not cost its connection that memory for good.
	}
	return err
}

// taken sends a message back, or hands it to who pushes.
func (t *conversation) taken(payload int) error {
	if t.push != nil {
		return t.push.message(t.opcode, t.message[headRoom:])
	}
	err := t.send(t.opcode, t.message)
	if err == nil {
		t.shard.sent.Add(int64(payload))
	}
	return err
}

// send writes a frame whose payload stands behind headRoom, in one system call.
func (t *conversation) send(opcode ws.OpCode, framed []byte) error {
	h := ws.Header{Fin: true, OpCode: opcode, Length: int64(len(framed) - headRoom)}
	begin := headRoom - ws.HeaderSize(h)
	into := headWriter(framed[begin:headRoom])
	if err := ws.WriteHeaderBuffer(into, h, t.head[:]); err != nil {
		return err
	}
	if t.push != nil {
		t.push.control(framed[begin:])
		return nil
	}
	_, err := t.Write(framed[begin:])
	return err
}

// headWriter takes what fits.
type headWriter []byte

func (w headWriter) Write(p []byte) (int, error) { return copy(w, p), nil }

// answer takes a control frame.
func (t *conversation) answer(h ws.Header) error {
	payload := t.control[:h.Length]
	if _, err := io.ReadFull(t.in, payload); err != nil {
		return err
	}
	ws.Cipher(payload, h.Mask, 0)
	switch h.OpCode {
	case ws.OpPing:
		return t.sendControl(ws.OpPong, payload)
	case ws.OpClose:
		return t.close(payload)
	default:
		return nil
	}
}

func (t *conversation) close(payload []byte) error {
	if len(payload) > 0 {
		code, reason := ws.ParseCloseFrameData(payload)
		if !mayBeSent(code) {
			return t.end(ws.StatusProtocolError)
		} else if !utf8.ValidString(reason) {
			return t.end(ws.StatusInvalidFramePayloadData)
		}
		payload = payload[:2]
	}
	t.sendControl(ws.OpClose, payload) // Its error is the peer's going away, which it was about to do.
	return t.left()
}

// mayBeSent is RFC 6455, 7.4, with the codes 1012 to 1014 that were registered since and that gobwas/ws does not know. Half a code is
// 1005 to gobwas/ws, which nobody may send.
func mayBeSent(code ws.StatusCode) bool {
	return code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014 || code >= 3000 && code <= 4999
}

// end tells the peer why and ends the connection.
func (t *conversation) end(code ws.StatusCode) error {
	t.sendControl(ws.OpClose, ws.NewCloseFrameBody(code, "")) // Its error is the peer's going away.
	return t.left()
}

// left ends a connection whose close frame is sent, or queued.
func (t *conversation) left() error {
	if t.push != nil {
		t.push.done(errLeft)
	}
	linger(t.stream)
	return errLeft
}

func (t *conversation) sendControl(opcode ws.OpCode, payload []byte) error {
	framed := make([]byte, headRoom+len(payload))
	copy(framed[headRoom:], payload)
	return t.send(opcode, framed)
}

// linger ends this side, and drops what comes until the peer ends its own.
func linger(c stream) {
	c.CloseWrite() // Where it fails, so does the read.
	c.SetReadDeadline(time.Now().Add(lingerTime))
	io.CopyN(io.Discard, c, lingerBytes)
}

func (s *webSocketServer) drain(limit time.Duration) int {
	s.stopping.Store(true)
	s.listener.Close()
	s.accepting.Wait()
	return closeAll(s.counts, &s.conversing, limit)
}
