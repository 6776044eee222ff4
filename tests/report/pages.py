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
assert set(pages) == {"types", "barrier", "values", "advice", "padded", "overwritten", "short", "partial", "slow", "compared", "hostile"}, set(pages)


def text_of(element):
    return "".join(element.itertext())


def nanoseconds(text):
    value, _, unit = text.partition(" ")
    return float(value) * {"": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]


def close(a, b):
    return abs(a - b) <= 0.006 * max(abs(a), abs(b)) + 0.006


def read_padding(picture, told, tasks, whole=0):
    """A picture's bars and lines, by the figures."""
    names = [t for t in picture.iter(SVG + "text") if t.get("class") == "name"]
    assert [text_of(t) for t in names] == [t["name"] for t in told["tasks"]] == tasks

    def part(task, slope):
        return task["time"] * min(1, max(0, slope))

    highs = [part(t, 1 if t["high"] is None else t["high"]) for t in told["tasks"] if t["found"] != "not padded"]
    whole = max([whole, told["period"], *highs])
    begin, end = (t for t in picture.iter(SVG + "text") if t.get("class") in ("begin", "end"))
    assert text_of(begin) == "0" and close(nanoseconds(text_of(end)), whole)
    left, wide = float(begin.get("x")), float(end.get("x")) - float(begin.get("x"))
    assert wide == 400
    for name, task in zip(names, told["tasks"]):
        def of_row(tag, kind):
            lower = {"rect": 6, "line": 4, "text": 0}[tag]
            all_ = (e for e in picture.iter(SVG + tag) if e.get("class") in kind)
            return [e for e in all_ if abs(float(e.get("y1") or e.get("y")) + lower - float(name.get("y"))) < 6]

        bars, lines, (said,) = of_row("rect", ("wait", "other")), of_row("line", ("range",)), of_row("text", ("found",))
        if task["found"] == "not padded":
            assert not bars and not lines and text_of(said) == "not padded"
            continue
        (bar,), (range_, *caps) = bars, lines
        least, most = part(task, 0 if task["low"] is None else task["low"]), part(task, 1 if task["high"] is None else task["high"])
        assert float(bar.get("x")) == left and abs(float(bar.get("width")) - wide * part(task, task["slope"]) / whole) < 0.02
        assert abs(float(range_.get("x1")) - left - wide * least / whole) < 0.02
        assert abs(float(range_.get("x2")) - left - wide * most / whole) < 0.02
        assert [(c.get("x1"), c.get("x2")) for c in caps] == [(range_.get(e), range_.get(e)) for e in ("x1", "x2")]
        assert bar.get("class") == ("wait" if task["found"] == "exposed" else "other")
        times = re.fullmatch(r"(.*): (.*) \((.*) to (.*)\)", text_of(said))
        if task["high"] is None:
            assert re.fullmatch(r"unknown: padded in \d+ stretches", text_of(said))
        else:
            assert times.group(1) == task["found"]
            assert all(close(nanoseconds(t), e) for t, e in zip(times.groups()[1:], (part(task, task["slope"]), least, most)))


def look_at_wide_figures(root):
    """What may be wider than the page is within reach of keys, and says what it is."""
    small = {f for curves in root.iter(HTML + "div") if curves.get("class") == "curves" for f in curves.iter(HTML + "figure")}
    for figure in root.iter(HTML + "figure"):
        if figure in small:
            continue
        assert figure.get("tabindex") == "0" and figure.get("role") == "group" and figure.get("aria-label"), figure.attrib


def read(text):
    assert text.startswith("<!DOCTYPE html>\n")
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    for element in root.iter():
        for attribute in element.attrib:
            # Nothing is fetched, nothing runs.
            assert attribute not in ("src", "href", "onload", "onclick", "{http://www.w3.org/1999/xlink}href")
        assert element.tag != HTML + "script" or element.get("type") == "application/json"
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", text)
    look_at_wide_figures(root)
    sections = {s.get("id"): s for s in root.iter(HTML + "section")}
    assert [s for s in sections if s not in ("timeline", "padding", "advice")] == SECTIONS, list(sections)
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

    idle = sections["waits"].find(f".//{SVG}svg")
    names = [t for t in idle.iter(SVG + "text") if t.get("class") == "name"]
    assert [text_of(t) for t in names] == [t["name"] for t in figures["threads"]]
    kinds = {"busy": "busy", "source": "in_source", "wait": "waiting", "other": "other"}
    for name, thread in zip(names, figures["threads"]):
        assert abs(sum(thread[p] for p in kinds.values()) - thread["total"]) <= 4
        row = [r for r in idle.iter(SVG + "rect") if r.find(SVG + "title") is not None and 0 < float(name.get("y")) - float(r.get("y")) < 24]
        ends = [float(r.get("x")) + float(r.get("width")) for r in row]
        assert all(abs(end - float(r.get("x"))) < 0.06 for end, r in zip(ends, row[1:]))  # each begins where the one before ends
        for kind, key in kinds.items():
            parts = [r for r in row if r.get("class") == kind]
            width, time = sum(float(r.get("width")) for r in parts), sum(nanoseconds(text_of(r).rpartition(": ")[2]) for r in parts)
            assert abs(width - 480 * thread[key] / thread["total"]) < 0.01 * (1 + len(parts)) if thread["total"] else not parts
            assert close(time, thread[key]), (time, thread)
    if "padding" in sections and "too short to compare stretches" in text_of(sections["padding"]):
        assert sections["padding"].find(f".//{SVG}svg") is None
    elif "padding" in sections:
        read_padding(sections["padding"].find(f".//{SVG}svg"), figures["padding"], [t["name"] for t in figures["tasks"][:-1]])
    else:
        assert "padding" not in figures
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
labels = {}
for label in sections["progresses"].iter(SVG + "text"):
    labels.setdefault(float(label.get("y")), {})[float(label.get("x"))] = text_of(label)
columns = sorted({x for row in labels.values() for x in row})
grid = [[row.get(x, "") for x in columns] for _, row in sorted(labels.items())]
assert grid == [
    ["progress", "0", "1", "2", "3", "4"],
    ["pull", "0", "1", "2", "3", ""],
    ["decode", "0", "1", "2", "3", ""],
    ["train", "", "0", "1", "2", "3"],
], grid
kinds = [r.get("class") for r in sections["progresses"].iter(SVG + "rect")]
assert kinds == ["source", "busy", "busy", "busy"] * 2 + ["busy", "busy", "busy", "source"], kinds
assert "thread `gpu` was busy 100.0 %" in text_of(sections["waits"])
assert "% waited for `" in text_of(sections["waits"])

values = read(pages["values"][0])
assert values[0] == figures and values[2] == fidelity
assert read(pages["barrier"][0])[0]["measured_period"] == 5000

assert text_of(read(pages["advice"][0])[1]["advice"].find(HTML + "pre")) == "less <work>\n"

assert figures["overwritten"] == 0 and 'id="overwritten"' not in pages["advice"][0]
figures, sections, fidelity = read(pages["overwritten"][0])
assert figures["overwritten"] > 0
told = f"The record has no room for all of the run: {figures['overwritten']} runs of tasks are missing at its beginning."
assert f'<p id="overwritten">{told}</p>' in pages["overwritten"][0]

figures, sections, fidelity = read(pages["padded"][0])
found = [(t["name"], t["found"], t["slope"], t["low"], t["high"]) for t in figures["padding"]["tasks"]]
assert found == [("decode", "hidden", -0.02, -0.2, 0.08), ("train", "exposed", 0.9, 0.8, 1.3)], found
assert "train" in text_of(sections["padding"]) and "exposed: 4.50 µs (4.00 µs to 5.00 µs)" in text_of(sections["padding"])
assert "by up to 1.00 µs, in 40 stretches of 16 batches; without that a progress took 6.00 µs there." in text_of(sections["padding"])
found = [(t["found"], t["low"], t["high"]) for t in read(pages["padded"][1])[0]["padding"]["tasks"]]
assert found == [("unknown", None, None), ("not padded", 0.8, 1.3)], found
assert "Nothing is known: the runs were too short" in text_of(read(pages["padded"][2])[1]["padding"])
assert "Nothing is known" not in pages["padded"][0] + pages["padded"][1]

figures, sections, fidelity = read(pages["short"][0])
assert "measured_period" not in figures and "timeline" not in sections
assert fidelity.endswith("the record is too short to say what it took.")

assert 'id="unmeasured"' not in pages["types"][0]
for page, names in zip(pages["partial"], ["decode</code>, <code>train", "train"], strict=True):
    read(page)
    told = f"The record has no run of <code>{names}</code>: here a weight of N counts as N nanoseconds."
    assert f'<p id="unmeasured">{told}</p>' in page

figures, sections, fidelity = read(pages["slow"][0])
assert sections["advice"].find(HTML + "pre") is None
assert text_of(sections["advice"]).endswith("No advice: the model does not explain what the run took.\n")
assert close(figures["measured_period"], 10000)
assert "100.0 % more. That is more than the model explains" in fidelity and "Most is unexplained on thread" in fidelity



def read_comparison(text):
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    look_at_wide_figures(root)
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
    pictures = list(sections["padding"].iter(SVG + "svg")) if "padding" in sections else []
    padded = [run["padding"] for run in figures if "padding" in run]
    assert len(pictures) == len(padded)
    for picture, told in zip(pictures, padded):
        read_padding(picture, told, [t["name"] for t in told["tasks"]], max(t["period"] for t in padded))
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
# Over each other they begin at one place, and as many progresses of the late one are twice as wide.
pictures = list(sections["overlaid"].iter(SVG + "svg"))
assert len(pictures) == 3 and [s.get("class") for s in sections["overlaid"].iter(HTML + "figure")] == ["zoom-1", "zoom-4", "zoom-16"]
assert [run["overlaid"]["progresses"] for run in figures] == [8, 8] and close(figures[1]["overlaid"]["time"], 2 * figures[0]["overlaid"]["time"])
for picture, zoom in zip(pictures, (1, 4, 16)):
    begins = [float(r.get("x")) for r in picture.iter(SVG + "rect") if r.get("class") == "row"]
    assert len(begins) == 2 * len(("caller", "decoder", "gpu")) and len(set(begins)) == 1
    ends = {}
    for line in picture.iter(SVG + "line"):
        ends.setdefault(float(line.get("y1")), []).append(float(line.get("x1")) - begins[0])
    for i, (_, of_half) in enumerate(sorted(ends.items())):
        time = figures[i % 2]["overlaid"]["time"]
        assert len(of_half) == 9 and of_half[0] == 0
        assert abs(of_half[-1] - 1000 * zoom * time / max(run["overlaid"]["time"] for run in figures)) < 0.1
    told = [text_of(t) for t in picture.iter(SVG + "text")]
    assert "upper halves: first, 8 progresses in 40.0 µs, from the end of batch 25" in told, told
    titles = [text_of(t) for t in picture.iter(SVG + "title")]
    assert "train, batch 26, 5.00 µs, first" in titles and "train, batch 26, 5.00 µs, late" in titles, titles
assert "padding" not in sections
figures, sections, told = read_comparison(pages["compared"][1])
assert ["padding" in run for run in figures] == [True, True]
figures, sections, told = read_comparison(pages["compared"][2])
assert ["padding" in run for run in figures] == [False, True]
figures, sections, told = read_comparison(pages["compared"][3])
assert told == "A record is too short to say what a progress took." and "timelines" not in sections and "overlaid" not in sections
assert [run["name"] for run in figures] == ['<&">', "]]>"]

assert len(pages["hostile"]) == 5
for page in pages["hostile"]:
    read(page)
print("all pages are whole")
