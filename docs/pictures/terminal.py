#!/usr/bin/env python3
"""Runs a command on a terminal of its own and writes a recording of that terminal as SVG.

    docs/pictures/terminal.py docs/pictures/run.svg 140x24 ./ladder run smoke

The recording plays once, in twelve seconds at most, and stays at its last screen. A viewer that does not play shows the last
screen: the command, what it said last, and its colours. Exit status: that of the command.
"""
import codecs
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from xml.sax.saxutils import escape

CELL_WIDTH, LINE_HEIGHT, MARGIN = 7.8, 18, 12  # Of a monospaced font of 13 px.
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341"}  # What ./ladder uses, on a dark ground.
PLAIN = "#e6edf3"
CONTROL = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|([\r\n])")
CUT = re.compile(r"\x1b(\[[0-9;]*)?$")  # A control sequence whose rest is still to come.
LONGEST_PAUSE, SHORTEST_FRAME = 1.0, 0.2  # Seconds.
LONGEST_PLAY = 12.0  # A longer one plays so much quicker.


def output(command, columns, rows):
    """What the command writes to its terminal, each piece with its time in seconds, and its exit status."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = dict(os.environ, TERM="xterm-256color", COLUMNS=str(columns))
    child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True)
    os.close(slave)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pieces, start = [], time.monotonic()
    try:
        while part := os.read(master, 1 << 16):
            pieces.append((time.monotonic() - start, decoder.decode(part)))
    except OSError:
        pass  # Linux says EIO when nobody has the terminal open any more.
    return pieces, child.wait()


class Screen:
    """Lines of cells, a character with its colour each, as of a terminal that knows \\r, \\n, 'erase the line' and colours."""

    def __init__(self):
        self.lines, self.column, self.colour, self.rest = [[]], 0, PLAIN, ""

    def put(self, part):
        for character in part:
            line = self.lines[-1]
            line.extend([(" ", PLAIN)] * (self.column + 1 - len(line)))
            line[self.column] = (character, self.colour)
            self.column += 1

    def feed(self, text):
        text, at = self.rest + text, 0
        cut = CUT.search(text)
        self.rest = cut.group() if cut else ""
        text = text[: len(text) - len(self.rest)]
        for control in CONTROL.finditer(text):
            self.put(text[at : control.start()])
            at = control.end()
            values, kind, move = control.groups()
            if move == "\n":
                self.lines.append([])
            if move:
                self.column = 0
            elif kind == "K":
                del self.lines[-1][self.column :]
            elif kind == "m":
                self.colour = next((COLOURS[v] for v in values.split(";") if v in COLOURS), PLAIN)
        self.put(text[at:])

    def words(self, rows):
        """What is seen in that many rows: (row, column, text, colour) of every word, from the top."""
        lines = list(self.lines)
        while lines and not lines[-1]:
            lines.pop()
        seen = set()
        for row, cells in enumerate(lines[-rows:]):
            text = "".join(character for character, _ in cells)
            for word in re.finditer(r"\S+(?: \S+)*", text):
                seen.add((row, word.start(), word.group(), cells[word.start()][1]))
        return seen


def recording(pieces, rows):
    """From when to when, in seconds, each word is seen; to None = to the end."""
    screen, shown, words, now, last = Screen(), {}, [], 0.0, None
    for number, (at, text) in enumerate(pieces):
        screen.feed(text)
        if last is not None:
            now += min(at - last, LONGEST_PAUSE)
        last = at
        final = number == len(pieces) - 1
        if shown and not final and pieces[number + 1][0] - at < SHORTEST_FRAME:
            continue  # The next piece comes before anybody has read this one.
        seen = screen.words(rows)
        words += [(word, begin, now) for word, begin in shown.items() if word not in seen]
        shown = {word: shown.get(word, now) for word in seen}
    words += [(word, begin, None) for word, begin in shown.items()]
    speed = max(1.0, now / LONGEST_PLAY)
    return [(word, begin / speed, end if end is None else end / speed) for word, begin, end in words]


def svg(words, prompt, columns):
    """Each word stands at its own cell, so that columns stay columns whatever font draws them."""
    height = (2 + max((word[0] for word, _, _ in words), default=0)) * LINE_HEIGHT + 2 * MARGIN
    width = columns * CELL_WIDTH + 2 * MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
        ' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">',
        f'<rect width="{width:.0f}" height="{height:.0f}" rx="8" fill="#0d1117"/>',
    ]
    prompts = [((-1, 0, prompt, PLAIN), 0.0, None)]
    for (row, column, text, colour), begin, end in prompts + sorted(words, key=lambda of: (of[0][:3], of[1])):
        x, y, length = MARGIN + column * CELL_WIDTH, MARGIN + (row + 1.75) * LINE_HEIGHT, len(text) * CELL_WIDTH
        hidden, play = "", ""
        if end is not None:
            hidden, play = ' visibility="hidden"', f'<set attributeName="visibility" to="visible" begin="{begin:.2f}s" end="{end:.2f}s"/>'
        elif begin > 0:
            play = f'<set attributeName="visibility" to="hidden" begin="0s" end="{begin:.2f}s"/>'
        out.append(
            f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}" fill="{colour}"{hidden} xml:space="preserve">{escape(text)}{play}</text>'
        )
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    target, size, *command = sys.argv[1:]
    columns, rows = map(int, size.split("x"))
    pieces, status = output(command, columns, rows)
    words = recording(pieces, rows - 1)
    with open(target, "w", encoding="utf-8") as file:
        file.write(svg(words, "$ " + " ".join(command), columns))
    sys.exit(status)


if __name__ == "__main__":
    main()
