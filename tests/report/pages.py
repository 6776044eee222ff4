#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes pages apart as a strict reader does: python3 pages.py PROGRAM, which prints them."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
SECTIONS = ["bound", "curves", "waits", "progresses", "slots", "plan"]

printed = subprocess.run([sys.argv[1]], capture_output=True, check=True).stdout.decode("utf-8")
pages = {}
for name, text in re.findall(r"^=== (\w+)\n(.*?)(?=^=== |\Z)", printed, flags=re.M | re.S):
    pages.setdefault(name, []).append(text)
assert set(pages) == {"types", "barrier", "values", "short", "partial", "slow", "hostile"}, set(pages)


def text_of(element):
    return "".join(element.itertext())


def nanoseconds(text):
    value, _, unit = text.partition(" ")
    return float(value) * {"": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]


def close(a, b):
    return abs(a - b) <= 0.006 * max(abs(a), abs(b)) + 0.006


def read(text):
    assert text.startswith("<!DOCTYPE html>\n")
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    for element in root.iter():
        for attribute in element.attrib:
            # Nothing is fetched, nothing runs.
            assert attribute not in ("src", "href", "onload", "onclick", "{http://www.w3.org/1999/xlink}href")
        assert element.tag != HTML + "script" or element.get("type") == "application/json"
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", text)
    sections = {s.get("id"): s for s in root.iter(HTML + "section")}
    assert [s for s in sections if s != "timeline"] == SECTIONS, list(sections)
    figures = json.loads(text_of(next(root.iter(HTML + "script"))))

    rows = list(sections["bound"].iter(HTML + "tr"))[1:]
    assert len(rows) == len(figures["tasks"])
    for row, task in zip(rows, figures["tasks"]):
        cells = [text_of(c) for c in row]
        assert cells[0] == task["name"] and cells[1] == task["thread"], (cells, task)
        assert close(nanoseconds(cells[2]), task["time"])
        assert close(nanoseconds(cells[3]), task["exposed"])
        assert close(nanoseconds(cells[5]), task["spare"])
        width = float(re.fullmatch(r"width:(.*)%", row[4][0].get("style")).group(1))
        assert close(width, 100 * task["exposed"] / figures["modelled_period"]) or figures["modelled_period"] == 0

    rows = list(sections["waits"].iter(HTML + "tr"))[1:]
    assert len(rows) == len(figures["threads"])
    for row, thread in zip(rows, figures["threads"]):
        assert text_of(row[0]) == thread["name"]
        sum_of_parts = sum(thread[p] for p in ("busy", "in_source", "waiting", "other"))
        assert abs(sum_of_parts - thread["total"]) <= 4
        for span in row[1].iter(HTML + "span"):
            key = {"busy": "busy", "source": "in_source", "wait": "waiting", "other": "other"}[span.get("class")]
            width = float(re.fullmatch(r"width:(.*)%", span.get("style")).group(1))
            assert abs(width - 100 * thread[key] / thread["total"]) < 0.01
            assert close(nanoseconds(span.get("title")), thread[key])
    for curve in sections["curves"].iter(SVG + "polyline"):
        points = [tuple(map(float, p.split(","))) for p in curve.get("points").split()]
        assert len(points) >= 2 and all(a[0] < b[0] and a[1] >= b[1] for a, b in zip(points, points[1:]))
    return figures, sections, text_of(next(p for p in root.iter(HTML + "p") if p.get("id") == "fidelity"))


figures, sections, fidelity = read(pages["types"][0])
assert figures["schedule"] == "learning"
assert figures["modelled_period"] == 5000 and close(figures["measured_period"], 5000)
assert fidelity == ("By the medians of its tasks' times a progress takes 5.00 µs at best, and took 5.00 µs: 0.0 % more."), fidelity
assert [t["exposed"] for t in figures["tasks"]] == [0, 2000, 0]
assert "Thread gpu is busy all the time with train." in text_of(sections["bound"])
assert len(list(sections["curves"].iter(SVG + "polyline"))) == 1
assert "up to 2.00 µs faster helps, then thread decoder is in the way" in text_of(sections["curves"])
assert sections["timeline"].find(f".//{SVG}svg") is not None
grid = [[text_of(c) for c in row] for row in sections["progresses"].iter(HTML + "tr")]
assert grid == [
    ["progress", "0", "1", "2", "3", "4"],
    ["pull", "0", "1", "2", "3", ""],
    ["decode", "0", "1", "2", "3", ""],
    ["train", "", "0", "1", "2", "3"],
], grid
assert "thread `gpu` was busy 100.0 %" in text_of(sections["waits"])
assert "% waited for `" in text_of(sections["waits"])

values = read(pages["values"][0])
assert values[0] == figures and values[2] == fidelity
assert read(pages["barrier"][0])[0]["measured_period"] == 5000

figures, sections, fidelity = read(pages["short"][0])
assert "measured_period" not in figures and "timeline" not in sections
assert fidelity.endswith("the record is too short to say what it took.")

assert 'id="unmeasured"' not in pages["types"][0]
for page, names in zip(pages["partial"], ["decode</code>, <code>train", "train"], strict=True):
    read(page)
    told = f"The record has no run of <code>{names}</code>: here a weight of N counts as N nanoseconds."
    assert f'<p id="unmeasured">{told}</p>' in page

figures, sections, fidelity = read(pages["slow"][0])
assert close(figures["measured_period"], 10000)
assert "100.0 % more. That is more than the model explains" in fidelity and "Most is unexplained on thread" in fidelity

assert len(pages["hostile"]) == 5
for page in pages["hostile"]:
    read(page)
print("all pages are whole")
