#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds ./with_pkg_config with the library of stretto::compiled and no CMake. CXX names the compiler.
set -eu

flags=$(pkg-config --cflags --libs stretto-compiled)
eval "set -- $flags"
"${CXX:-c++}" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
  "$(dirname "$0")/../main.cpp" -o with_pkg_config "$@"
./with_pkg_config
