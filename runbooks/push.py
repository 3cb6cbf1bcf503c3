#!/usr/bin/env python3
"""A server that pushes, to try `./ladder load --publish all` with: python3 runbooks/push.py PORT [FAULT]

The frames are those of servers/README.md, "Push". FAULT: skip (every tenth message misses its first subscriber), twice (it gets every
tenth message twice), count (it says that it handed a message to one subscriber more).
"""
import asyncio
import struct
import sys

SUBSCRIBE, LEAVE, PUBLISH, MESSAGE, SUBSCRIBED, LEFT, PUBLISHED = range(1, 8)
FAULT = sys.argv[2] if len(sys.argv) > 2 else ""
topics = {}
published = 0


def frame(kind, topic, body=b""):
    return struct.pack(">IBI", 5 + len(body), kind, topic) + body


def publish(topic, body):
    global published
    published += 1
    faulty = published % 10 == 0
    subscribers = list(topics.get(topic, ()))
    for i, writer in enumerate(subscribers):
        times = {"skip": 0, "twice": 2}.get(FAULT, 1) if faulty and i == 0 else 1
        writer.write(frame(MESSAGE, topic, body) * times)
    return len(subscribers) + (1 if FAULT == "count" and faulty else 0)


async def talk(reader, writer):
    try:
        while True:
            length = int.from_bytes(await reader.readexactly(4), "big")
            kind, topic, body = struct.unpack(f">BI{length - 5}s", await reader.readexactly(length))
            if kind == SUBSCRIBE:
                topics.setdefault(topic, {})[writer] = True
                writer.write(frame(SUBSCRIBED, topic))
            elif kind == LEAVE:
                topics.get(topic, {}).pop(writer, None)
                writer.write(frame(LEFT, topic))
            elif kind == PUBLISH:
                writer.write(frame(PUBLISHED, topic, struct.pack(">I", publish(topic, body))))
    except (asyncio.IncompleteReadError, ConnectionError):
        for subscribers in topics.values():
            subscribers.pop(writer, None)
    writer.close()


async def main():
    server = await asyncio.start_server(talk, "127.0.0.1", int(sys.argv[1]), backlog=4096)
    await server.serve_forever()


asyncio.run(main())
