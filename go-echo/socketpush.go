//go:build !netpoll

package main

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/gobwas/ws"
)

// socketPush pushes on one connection over WebSocket: each binary message is a frame of push without its length. What goes out is
// the outbox's alone, as a frame must not stand within another.
type socketPush struct{ talk }

func newSocketPush(c *connection, s *pushServer) *socketPush {
	return &socketPush{talk{connection: c, server: s, socket: true}}
}

// message takes one.
func (p *socketPush) message(opcode ws.OpCode, payload []byte) error {
	if opcode != ws.OpBinary {
		return errMalformed
	}
	frame := binary.BigEndian.AppendUint32(make([]byte, 0, lengthBytes+len(payload)), uint32(len(payload)))
	frame = append(frame, payload...)
	if !wellFormed(frame) {
		return errMalformed
	}
	return p.take(frame)
}

// wellFormed tells whether a client may send a frame.
func wellFormed(frame []byte) bool {
	if len(frame) < frameHeadBytes || len(frame) > frameHeadBytes+mostBodyBytes || frame[topicAt]&0x80 != 0 {
		return false
	}
	kind := frame[kindAt]
	return kind == kindPublish || kind >= kindSubscribe && kind < kindPublish && len(frame) == frameHeadBytes
}

// control queues a control frame. Who does not take its pongs is not read from.
func (p *socketPush) control(framed []byte) {
	o := p.outbox()
	if opcodeOf(framed) != ws.OpClose {
		o.awaitRoom()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return
	}
	o.add(framed)
	if opcodeOf(framed) == ws.OpClose {
		o.finishing = true // No message may stand behind it.
	}
}

// done waits until all is written that was queued; err is why nothing more comes.
func (p *socketPush) done(err error) {
	if errors.Is(err, errLeft) {
		err = io.EOF // It was told, or has told, and takes what is queued before the close frame.
	}
	p.ended(err)
}

// socketFrame is a binary message in one frame, as servers send it.
func socketFrame(payload []byte) []byte {
	h := ws.Header{Fin: true, OpCode: ws.OpBinary, Length: int64(len(payload))}
	framed := make([]byte, ws.HeaderSize(h), ws.HeaderSize(h)+len(payload))
	var scratch [ws.MaxHeaderSize]byte
	ws.WriteHeaderBuffer(headWriter(framed), h, scratch[:]) // Its only error would be the writer's.
	return append(framed, payload...)
}

// isSocketMessage tells a message from a reply and from a control frame.
func isSocketMessage(framed []byte) bool {
	return opcodeOf(framed) == ws.OpBinary && framed[socketHeadBytes(framed)] == kindMessage
}

func opcodeOf(framed []byte) ws.OpCode { return ws.OpCode(framed[0] & 0x0f) }

func socketHeadBytes(framed []byte) int {
	switch framed[1] {
	case 126:
		return 4
	case 127:
		return 10
	default:
		return 2
	}
}

// payloadBytes are those of the messages among frames.
func payloadBytes(frames [][]byte) (n int64) {
	for _, framed := range frames {
		if opcodeOf(framed) == ws.OpBinary {
			n += int64(len(framed) - socketHeadBytes(framed))
		}
	}
	return n
}
