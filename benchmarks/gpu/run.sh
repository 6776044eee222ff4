#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds what a machine with a GPU can build, runs the tests that need one, measures, and keeps the figures in
# results/<name of the GPU>.json:  sh benchmarks/gpu/run.sh [further arguments of cmake]
set -eu
cd "$(dirname "$0")/../.."

build=build/gpu
figures=$build/figures

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
mkdir -p "$figures"
rm -f "$figures"/*
cmake --build "$build" --target gpu_programs
nvcc=$(sed -n 's/^set(CMAKE_CUDA_COMPILER_VERSION "\(.*\)")$/nvcc \1/p' "$build"/CMakeFiles/*/CMakeCUDACompiler.cmake)
python3 benchmarks/measured.py --note "$figures/measured.json" --compiler "$nvcc" --build Release

echo "== tests"
failed=0
ctest --test-dir "$build" -L gpu --output-on-failure >"$figures/tests.log" 2>&1 || failed=1
cat "$figures/tests.log"
if grep -q '(Skipped)' "$figures/tests.log"; then
  echo "run.sh: there is no GPU here: nothing is measured" >&2
  exit 77
fi
if [ "$failed" = 1 ]; then
  echo "run.sh: tests failed: nothing is measured" >&2
  exit 1
fi

# What may be skipped (PyTorch is not here) is left out of the results.
measure() {
  echo "== $1"
  shift
  "$@" || [ $? = 77 ]
}
measure "pipeline" "$build/benchmarks/gpu/benchmark_gpu" "$figures/pipeline.json"
if [ -x "$build/examples/ranking/gpu/ranking_gpu" ]; then
  measure "ranking" "$build/examples/ranking/gpu/ranking_gpu" --rounds 5 --figures "$figures/ranking.json"
fi
measure "ranking, PyTorch" python3 benchmarks/gpu/ranking_torch.py "$figures/torch.json"

python3 benchmarks/gpu/merge.py "$figures" benchmarks/gpu/results
