#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows README's chapter "Use it" word for word, in a copy of the sources that nobody has built, for a new user."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder of the test's own, made anew")
    parser.add_argument("--cxx", required=True)
    arguments = parser.parse_args()
    source, work = arguments.source, arguments.work

    chapter = re.search(r"^## Use it\n(.*?)^## ", (source / "README.md").read_text(), re.S | re.M).group(1)
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", chapter, re.S | re.M)
    shells = [text for language, text in blocks if language == "sh"]
    cmakes = [text for language, text in blocks if language == "cmake"]
    assert len(shells) == 2 and len(cmakes) == 2, f"README has other steps than this test knows: {blocks}"
    prefix = re.search(r'`(-DCMAKE_PREFIX_PATH="\$HOME/\.local")`', chapter).group(1)

    shutil.rmtree(work, ignore_errors=True)
    clone = work / "stretto"
    shutil.copytree(source, clone, ignore=shutil.ignore_patterns("build", ".git"))
    home = work / "home"
    home.mkdir()
    environment = dict(os.environ, HOME=str(home), CXX=arguments.cxx)
    environment.pop("CMAKE_PREFIX_PATH", None)

    def shell(folder, text):
        print(f"{folder.name}$ {text.strip()}", flush=True)
        subprocess.run(["sh", "-e", "-c", text], cwd=folder, env=environment, check=True)

    def project(name, program, text, options=""):
        folder = work / name
        folder.mkdir()
        shutil.copy(program, folder / "main.cpp")
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(app LANGUAGES CXX)\nadd_executable(app main.cpp)\n{text}"
        )
        if "add_subdirectory" in text:
            (folder / "stretto").symlink_to(clone)
        shell(folder, f"cmake -S . -B build {options} && cmake --build build && build/app")

    consumers = source / "tests" / "consumers"
    shell(clone, shells[0])
    project("installed", consumers / "main.cpp", cmakes[0], prefix)
    runtime = cmakes[0].replace("stretto::stretto", "stretto::dynamic")
    assert "or stretto::dynamic" in cmakes[0]
    project("runtime_version", consumers / "dynamic.cpp", runtime, prefix)
    project("folder", consumers / "main.cpp", cmakes[1])
    if shutil.which("pkg-config"):
        folder = work / "without_cmake"
        folder.mkdir()
        shutil.copy(consumers / "main.cpp", folder)
        shell(folder, shells[1] + "\n./a.out\n")
    else:
        print("no pkg-config: left out")
    shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
