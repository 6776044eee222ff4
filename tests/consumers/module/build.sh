#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds ./consumer of a module with nothing but a compiler. CXX names it, PREFIX where Stretto is installed.
set -eu

# The options of the module are those of whoever imports it.
options="-std=c++20 -pthread -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
"$CXX" $options "-I$PREFIX/include" --precompile \
  "$PREFIX/include/stretto/stretto.cppm" -o stretto.pcm
"$CXX" -c stretto.pcm -o stretto.o
"$CXX" $options -fmodule-file=stretto=stretto.pcm \
  "$(dirname "$0")/main.cpp" stretto.o -o consumer
