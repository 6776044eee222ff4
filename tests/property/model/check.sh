#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check.sh holds|fails MODEL.pml [-DVARIANT ...]: searches every interleaving of a model. With `fails`
# the search must find an error: a model that holds whatever one takes away shows nothing.
set -eu
expected=$1 model=$(realpath "$2")
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
spin -a "$@" "$model" > spin.txt || { cat spin.txt && exit 1; }
cc -O2 -w -DSAFETY -o pan pan.c
./pan -m100000 > pan.txt 2>&1 || true
sed -n '/^pan:/p;/^State-vector/p;/states, stored/p' pan.txt
grep -q 'max search depth too small\|out of memory' pan.txt && { echo "the search was cut short" && exit 1; }
errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.txt)
[ -n "$errors" ] || { cat pan.txt && exit 1; }
case $expected in
  holds) [ "$errors" = 0 ] || { spin -k "$(basename "$model").trail" "$@" -p "$model" | tail -n 60 && exit 1; } ;;
  fails) [ "$errors" != 0 ] || { echo "no error found, but one is there" && exit 1; } ;;
  *) exit 2 ;;
esac
