#!/usr/bin/env python3
"""Runs a command on a terminal of its own and writes that terminal's last screen as SVG.

    docs/pictures/terminal.py docs/pictures/run.svg 140x24 ./ladder run smoke

The screen shows the command, what it said last, and its colours. Exit status: that of the command.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from xml.sax.saxutils import escape

CELL_WIDTH, LINE_HEIGHT, MARGIN = 7.8, 18, 12  # Of a monospaced font of 13 px.
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341"}  # What ./ladder uses, on a dark ground.
PLAIN = "#e6edf3"
CONTROL = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|([\r\n])")


def output(command, columns, rows):
    """All bytes that the command writes to its terminal, and its exit status."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = dict(os.environ, TERM="xterm-256color", COLUMNS=str(columns))
    child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True)
    os.close(slave)
    said = b""
    try:
        while part := os.read(master, 1 << 16):
            said += part
    except OSError:
        pass  # Linux says EIO when nobody has the terminal open any more.
    return said.decode("utf-8", "replace"), child.wait()


def screen(text):
    """Lines of cells, a character with its colour each, as a terminal shows them that knows \\r, \\n, 'erase the line' and colours."""
    lines, column, colour, at = [[]], 0, PLAIN, 0

    def put(part):
        nonlocal column
        for character in part:
            line = lines[-1]
            line.extend([(" ", PLAIN)] * (column + 1 - len(line)))
            line[column] = (character, colour)
            column += 1

    for control in CONTROL.finditer(text):
        put(text[at:control.start()])
        at = control.end()
        values, kind, move = control.groups()
        if move == "\n":
            lines.append([])
        if move:
            column = 0
        elif kind == "K":
            del lines[-1][column:]
        elif kind == "m":
            colour = next((COLOURS[v] for v in values.split(";") if v in COLOURS), PLAIN)
    put(text[at:])
    while lines and not lines[-1]:
        lines.pop()
    return lines


def svg(lines, columns):
    """Each word stands at its own cell, so that columns stay columns whatever font draws them."""
    width, height = columns * CELL_WIDTH + 2 * MARGIN, len(lines) * LINE_HEIGHT + 2 * MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
        ' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">',
        f'<rect width="{width:.0f}" height="{height:.0f}" rx="8" fill="#0d1117"/>',
    ]
    for number, cells in enumerate(lines):
        text = "".join(character for character, _ in cells)
        for word in re.finditer(r"\S+(?: \S+)*", text):
            x, y = MARGIN + word.start() * CELL_WIDTH, MARGIN + (number + 0.75) * LINE_HEIGHT
            length = len(word.group()) * CELL_WIDTH
            out.append(
                f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}" fill="{cells[word.start()][1]}" xml:space="preserve">{escape(word.group())}</text>'
            )
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    target, size, *command = sys.argv[1:]
    columns, rows = map(int, size.split("x"))
    said, status = output(command, columns, rows)
    prompt = [(character, PLAIN) for character in "$ " + " ".join(command)]
    with open(target, "w", encoding="utf-8") as file:
        file.write(svg([prompt] + screen(said)[-(rows - 1):], columns))
    sys.exit(status)


if __name__ == "__main__":
    main()
