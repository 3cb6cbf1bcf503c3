#!/usr/bin/env python3
"""A server to try `./ladder run --own` with: it returns every byte that it receives. python3 runbooks/echo.py PORT"""
import asyncio
import sys


async def echo(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", int(sys.argv[1]), backlog=4096)
    await server.serve_forever()


asyncio.run(main())
