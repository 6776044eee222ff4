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

# The runtime version with schedule files, where nlohmann/json is there as a package, too.
if pkg-config --exists nlohmann_json; then
  flags=$(pkg-config --cflags --libs stretto-dynamic)
  eval "set -- $flags"
  "${CXX:-c++}" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
    "$sources/find_component/main.cpp" -o consumer_of_files "$@"
  ./consumer_of_files >/dev/null
fi
