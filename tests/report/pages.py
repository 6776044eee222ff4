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
SECTIONS = ["bound", "graph", "curves", "waits", "progresses", "slots", "plan"]

printed = subprocess.run([sys.argv[1]], capture_output=True, check=True).stdout.decode("utf-8")
pages = {}
for name, text in re.findall(r"^=== (\w+)\n(.*?)(?=^=== |\Z)", printed, flags=re.M | re.S):
    pages.setdefault(name, []).append(text)
assert set(pages) == {"types", "barrier", "values", "advice", "short", "partial", "slow", "compared", "hostile"}, set(pages)


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
    assert [s for s in sections if s not in ("timeline", "advice")] == SECTIONS, list(sections)
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

    graph = sections["graph"].find(f".//{SVG}svg")
    boxes = [(text_of(g.find(SVG + "text")), g.get("class")) for g in graph.iter(SVG + "g")]
    assert [name for name, kind in boxes if name in {t["name"] for t in figures["tasks"]}] == [t["name"] for t in figures["tasks"]]
    assert {name for name, kind in boxes if kind == "lit"} == set(figures["bounded_by"]), (boxes, figures["bounded_by"])
    placed = [[float(r.get(a)) for a in ("x", "y", "width", "height")] for r in graph.iter(SVG + "rect")]
    for i, (x, y, width, height) in enumerate(placed):
        assert x >= 0 and x + width <= float(graph.get("width")) and y + height <= float(graph.get("height"))
        for other in placed[:i]:  # no two boxes on one place
            assert y != other[1] or x >= other[0] + other[2] or other[0] >= x + width

    rows = list(sections["slots"].iter(HTML + "tr"))[1:]
    assert len(rows) == len(figures["slots"])
    for row, slot in zip(rows, figures["slots"]):
        cells = [text_of(c) for c in row]
        assert cells[0] == slot["name"] and int(cells[1]) == slot["copies"]
        if cells[2]:
            assert close(float(cells[2]), slot["in_use"]) and slot["in_use"] <= slot["copies"] * 1.001
            width = float(re.fullmatch(r"width:(.*)%", row[3][0].get("style")).group(1))
            assert abs(width - 100 * slot["in_use"] / slot["copies"]) < 0.06

    if "timeline" in sections:
        pictures = list(sections["timeline"].iter(SVG + "svg"))
        assert len(pictures) == 3
        widths = [float(p.get("viewBox").split()[2]) for p in pictures]
        assert close(widths[1] - widths[0], 3000) and close(widths[2] - widths[0], 15000)

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
assert figures["bounded_by"] == ["train"] and "advice" not in sections
# A file is in use while it is decoded; the next image is ready a whole progress before it is trained on.
assert [(s["name"], s["copies"], round(s["in_use"], 1)) for s in figures["slots"]] == [("file", 2, 0.6), ("image", 2, 2.0), ("loss", 2, 0.0)], figures["slots"]
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

assert text_of(read(pages["advice"][0])[1]["advice"].find(HTML + "pre")) == "less <work>\n"

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



def read_comparison(text):
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    sections = {s.get("id"): s for s in root.iter(HTML + "section")}
    figures = json.loads(text_of(next(root.iter(HTML + "script"))))["runs"]
    names = list(dict.fromkeys(task for run in figures for task in run["tasks"]))
    rows = [[text_of(c) for c in row] for row in sections["tasks"].iter(HTML + "tr")]
    assert rows[0] == ["task", figures[0]["name"], "thread", figures[1]["name"], "thread", "of the first"], rows[0]
    assert [row[0] for row in rows[1:]] == names
    for row in rows[1:]:
        for cell, run in zip((row[1], row[3]), figures):
            assert close(nanoseconds(cell), run["tasks"][row[0]]) if cell else row[0] not in run["tasks"]
        assert not row[5] or close(float(row[5]), figures[1]["tasks"][row[0]] / figures[0]["tasks"][row[0]])
    for row in list(sections["threads"].iter(HTML + "tr"))[1:]:
        for cell, run in zip(row[1:], figures):
            widths = [float(re.fullmatch(r"width:(.*)%", s.get("style")).group(1)) for s in cell.iter(HTML + "span")]
            assert abs(sum(widths) - 100 * run["threads"].get(text_of(row[0]), 0)) < 0.1
    return figures, sections, text_of(next(p for p in root.iter(HTML + "p") if p.get("id") == "periods"))


figures, sections, told = read_comparison(pages["compared"][0])
assert told == "A progress took 5.00 µs in first, and 10.0 µs in late: 2.00 of the first.", told
assert [[text_of(c) for c in row] for row in sections["tasks"].iter(HTML + "tr")][1:] == [
    ["decode", "3.00 µs", "decoder", "3.00 µs", "decoder", "1.00"],
    ["train", "5.00 µs", "gpu", "5.00 µs", "gpu", "1.00"],
]
# As many batches, of which the late ones take twice as long: a second is as wide in both pictures.
figures_of_time = list(sections["timelines"].iter(HTML + "figure"))
assert len(figures_of_time) == 2
ticks = []
for figure in figures_of_time:
    svg = figure.find(SVG + "svg")
    wide = float(re.fullmatch(r"width:(.*)%", figure.get("style")).group(1)) / float(svg.get("viewBox").split()[2])
    marks = {text_of(t): float(t.get("x")) for t in svg.iter(SVG + "text") if text_of(t) in ("0 µs", "20 µs")}
    ticks.append((marks["20 µs"] - marks["0 µs"]) * wide)
assert abs(ticks[0] / ticks[1] - 1) < 0.01, ticks
figures, sections, told = read_comparison(pages["compared"][1])
assert told == "A record is too short to say what a progress took." and "timelines" not in sections
assert [run["name"] for run in figures] == ['<&">', "]]>"]

assert len(pages["hostile"]) == 5
for page in pages["hostile"]:
    read(page)
print("all pages are whole")
