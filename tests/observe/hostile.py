#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads drawings and traces of pipelines with hostile names as browsers and trace viewers do: strictly."""

import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
DOES_SOMETHING = {0x61C, 0xFEFF, *range(0x200E, 0x2010), *range(0x2028, 0x202F), *range(0x2066, 0x206A)}


def text_of(name):
    """A name of any bytes, as far as it is text: what a trace has."""
    text = ""
    while name:
        for length in (1, 2, 3, 4):
            try:
                c = name[:length].decode()
                break
            except UnicodeDecodeError:
                continue
        else:
            c, length = "\ufffd", 1
        text += c
        name = name[length:]
    return text


def shown(name):
    """What a picture is to show for it."""
    text = ""
    for c in text_of(name):
        code = ord(c)
        if code < 0x20 or code == 0x7F:
            c = chr(0x2421 if code == 0x7F else 0x2400 + code)
        elif code in range(0x80, 0xA0) or code in DOES_SOMETHING or code in range(0xFDD0, 0xFDF0) or code & 0xFFFE == 0xFFFE:
            c = "\ufffd"
        text += c
    return text


def check_drawing(path, wanted):
    svg = tree.fromstring(path.read_bytes().decode())
    titles = [e.text or "" for e in svg.iter(f"{SVG}title")]
    texts = [e.text or "" for e in svg.iter(f"{SVG}text")]
    assert titles[0] == wanted, f"the title is {titles[0]!r}"
    assert any(t.startswith(f"{wanted}, batch ") for t in titles[1:]), "no bar has the whole name"
    cut = [t for t in texts if t.endswith("…")]
    for t in cut:
        assert wanted.startswith(t[:-1]) or "after".startswith(t[:-1]) or "plain".startswith(t[:-1]), f"{t!r} is no beginning"
        left = wanted[len(t) - 1 :]
        # A mark of its own at the beginning of what was left out: it was parted from its letter.
        assert not left or not 0x300 <= ord(left[0]) < 0x370, f"{t!r} was cut before a mark"
    return len(cut)


def check_trace(path, wanted):
    text = path.read_bytes().decode()
    assert shown(text.replace("\n", "").encode()) == text.replace("\n", ""), "the text does more than to be seen"
    events = json.loads(text, strict=True)["traceEvents"]
    assert wanted in {e["name"] for e in events}, "no event has the name"
    assert {e["cat"] for e in events if e["ph"] == "X"} == {"task", "source"}


def main():
    wrong = cut = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([sys.argv[1], folder], check=True)
        names = [bytes.fromhex(line) for line in (folder / "names").read_text().splitlines()]
        for number, name in enumerate(names):
            try:
                cut += check_drawing(folder / f"{number}.svg", shown(name))
                check_trace(folder / f"{number}.json", text_of(name))
            except (AssertionError, ValueError, tree.ParseError) as e:
                wrong += 1
                print(f"{name!r}: {e}")
    print(f"{len(names)} names, {wrong} wrong, {cut} labels cut")
    return 1 if wrong or cut < 10 or len(names) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
