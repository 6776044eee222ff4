#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a browser makes of pages: python3 browser.py PROGRAM BROWSER, of which the first prints them, and the second is a
Chromium. Nothing is complained of, nothing is lost, it is dark for those who want that, and time can be stretched."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

program, browser = sys.argv[1:]
printed = subprocess.run([program], capture_output=True, check=True).stdout.decode("utf-8")
pages = re.findall(r"^=== (\w+)\n(.*?)(?=^=== |\Z)", printed, flags=re.M | re.S)
folder = tempfile.TemporaryDirectory()


def browse(page, *options):
    file = pathlib.Path(folder.name) / "page.html"
    file.write_text(page, encoding="utf-8")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
               "--enable-logging=stderr",
               f"--user-data-dir={folder.name}/profile", *options, file.as_uri()]
    run = subprocess.run(command, capture_output=True, timeout=600, check=True)
    told = [line for line in run.stderr.decode("utf-8", "replace").splitlines() if "CONSOLE" in line]
    assert not told, told
    return run.stdout.decode("utf-8")


def pixels(page, *options):
    """Rows of pixels, each three bytes, of the beginning of a page."""
    file = pathlib.Path(folder.name) / "shot.png"
    browse(page, "--window-size=1000,700", f"--screenshot={file}", *options)
    data, at, packed, header = file.read_bytes(), 8, b"", b""
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        header, packed = (body, packed) if kind == b"IHDR" else (header, packed + body if kind == b"IDAT" else packed)
        at += length + 12
    width, height = (int.from_bytes(header[i:i + 4], "big") for i in (0, 4))
    depth = {2: 3, 6: 4}[header[9]]
    assert header[8] == 8 and (width, height) == (1000, 700)
    raw, rows, above = zlib.decompress(packed), [], bytes(width * depth)
    for y in range(height):
        kind, line = raw[y * (width * depth + 1)], bytearray(raw[y * (width * depth + 1) + 1:(y + 1) * (width * depth + 1)])
        for x in range(len(line)):
            left, up = line[x - depth] if x >= depth else 0, above[x]
            corner = above[x - depth] if x >= depth else 0
            near = min((left, up, corner), key=lambda p: abs(left + up - corner - p))
            line[x] = (line[x] + (0, left, up, (left + up) // 2, near)[kind]) % 256
        above = bytes(line)
        rows.append([tuple(line[x:x + 3]) for x in range(0, len(line), depth)])
    return rows


def figures_of(page):
    return json.loads(re.search(r'<script type="application/json" id="figures">(.*?)</script>', page, flags=re.S).group(1))


try:
    browse("<!DOCTYPE html><title>nothing</title>", "--dump-dom")
except (OSError, subprocess.SubprocessError) as e:
    print(f"skipped: {browser} does not show an empty page either: {e}")
    sys.exit(77)

for name, page in pages:
    if name not in ("types", "hostile", "padded", "short", "compared"):
        continue
    shown = browse(page, "--dump-dom")
    assert figures_of(shown) == figures_of(page), name
    for tag in ("section", "table", "tr", "td", "svg", "rect", "path", "figure", "input"):
        assert len(re.findall(f"<{tag}[ >/]", shown)) == len(re.findall(f"<{tag}[ >/]", page)), (name, tag)

page = dict(reversed(pages))["types"]
light = pixels(page)
assert light[2][2] == (255, 255, 255), light[2][2]
dark = pixels(page, "--blink-settings=preferredColorScheme=0")
assert dark[2][2] == (0x16, 0x16, 0x16)
white = [sum(p == (255, 255, 255) for row in shown for p in row) for shown in (light, dark)]
assert white[0] > 300_000 and white[1] < 2_000, white  # the timeline is dark, too; letters on bars are white
stretched = page.replace(' checked="checked"', "").replace('id="zoom-16"', 'id="zoom-16" checked="checked"')
differing = sum(a != b for one, other in zip(light, pixels(stretched)) for a, b in zip(one, other))
assert differing > 2000, differing
print(f"{len(pages)} pages, no complaint")
