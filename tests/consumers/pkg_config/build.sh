#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds ./consumer with nothing but a compiler and pkg-config. CXX names the compiler.
set -eu

sources=$(dirname "$0")/..
flags=$(pkg-config --cflags --libs stretto)

# pkg-config quotes its answer for a shell: only `eval` gets paths with spaces right.
eval "set -- $flags"
"${CXX:-c++}" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
  "$sources/main.cpp" -o consumer "$@"
