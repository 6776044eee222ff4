#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# in_scratch.sh COMMAND ...: runs the command, with the path of a new folder for each `{}` in it. The folder goes when it
# has ended, so that two runs of a test do not meet.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
for argument; do
  shift
  set -- "$@" "$(printf '%s' "$argument" | sed "s|{}|$folder|g")"
done
"$@"
