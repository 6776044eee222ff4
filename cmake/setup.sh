#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the README's commands need, and every test that this machine can run: `sh cmake/setup.sh`; with --ci
# also what .ci/run needs, several compilers among it.
set -eu

tools="cmake ninja-build g++ ccache pkg-config python3 valgrind spin strace graphviz openmpi-bin"
libraries="libboost-dev libeigen3-dev zlib1g-dev doctest-dev nlohmann-json3-dev libcli11-dev libbenchmark-dev libtbb-dev libopenmpi-dev python3-jsonschema"
ci_tools="clang-16 clang-19 libclang-rt-16-dev clang-format-16 clang-tidy-16 doxygen python3-pip"
optional="clang-22 chromium" # which not every distribution has

usage() {
  echo "usage: sh cmake/setup.sh [--ci]" >&2
  exit 2
}

fail() {
  echo "setup: $*" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# The program a package is wanted for: one that is already there, from wherever, need not be installed.
program_of() {
  case "$1" in
    ninja-build) echo ninja ;;
    graphviz) echo dot ;;
    openmpi-bin) echo mpirun ;;
    python3-pip) echo pip3 ;;
    clang-16 | clang-19 | clang-22) echo "clang++-${1#clang-}" ;;
    lib*) echo "" ;;
    *) echo "$1" ;;
  esac
}

become_root() {
  sudo=""
  [ "$(id -u)" = 0 ] || { has sudo && sudo=sudo; }
}

apt() {
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1
}

# The package lists may be absent or stale (a fresh container): they are refreshed only when needed.
apt_install() {
  apt install --no-install-recommends "$@" || { apt update && apt install --no-install-recommends "$@"; }
}

# --- what is missing ------------------------------------------------------------------------------

find_missing() {
  missing=""
  packages="$libraries"
  for package in $tools; do
    has "$(program_of "$package")" || packages="$packages $package"
  done
  if [ "$ci" = yes ]; then
    for package in $ci_tools; do
      program=$(program_of "$package")
      if [ -z "$program" ] || ! has "$program"; then packages="$packages $package"; fi
    done
  fi
  # shellcheck disable=SC2086 # a list of package names
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $packages 2>/dev/null |
    sed -n 's/ installed$//p')
  # shellcheck disable=SC2086 # a list of package names
  missing=$(printf '%s\n' $packages | grep -vxF -e "$installed" | tr '\n' ' ')
  missing=${missing% }
}

install_missing() {
  become_root || fail "not root, and no sudo. As root, run: apt-get install $missing"
  echo "setup: installing $missing"
  # shellcheck disable=SC2086 # a list of package names
  if ! apt_install $missing; then
    tail -n 20 "$log" >&2
    fail "apt-get could not install: $missing"
  fi
}

install_optional() {
  for package in $optional; do
    ! has "$(program_of "$package")" || continue
    echo "setup: installing $package"
    { become_root && apt_install "$package"; } || echo "setup: $package is left out: it could not be installed"
  done
}

# The solver that searches are compared with: from PyPI, which not every machine reaches, and some 60 MB with what it needs.
# (Debian's Python wants to be told that PyPI is meant; an older pip does not know the option.)
install_oracle() {
  ! python3 -c "import ortools" >/dev/null 2>&1 || return 0
  echo "setup: installing OR-tools"
  python3 -m pip install --quiet --break-system-packages ortools >"$log" 2>&1 ||
    python3 -m pip install --quiet ortools >"$log" 2>&1 ||
    echo "setup: OR-tools is left out: it could not be installed"
}

list_needs() {
  cat <<'NEEDS'
setup: packages are installed on Debian and Ubuntu only. Stretto needs, from elsewhere:
  CMake 3.25, Ninja, a C++20 compiler (GCC 12 or Clang 16, or newer)
  Boost 1.74 headers (Hana)                     the library
  Eigen 3.4, zlib                               the examples
  doctest, nlohmann/json, pkg-config            the tests
  Python 3 with jsonschema, GraphViz, Spin,     some of the tests, which are left out
  strace, Valgrind, OpenMPI or MPICH              without them
  Google Benchmark                              the benchmarks
  oneTBB                                        optional: benchmarks compare with it
  Chromium                                      optional: pages about runs are looked at in it
  OR-tools (python3 -m pip install ortools)     optional: what searches find is compared with it
  ccache                                        optional: quicker rebuilds
NEEDS
}

# --- what is there must be new enough -------------------------------------------------------------

check_tools() {
  has cmake || fail "cmake was not found"
  has ninja || fail "ninja was not found"

  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
  major=${version%%.*}
  minor=${version#*.}
  if [ "$major" -lt 3 ] || { [ "$major" -eq 3 ] && [ "$minor" -lt 25 ]; }; then
    fail "CMake $version is too old, 3.25 is needed. A newer one: \`python3 -m pip install --user cmake\`
       (then put ~/.local/bin first in PATH), or the packages on https://cmake.org/download/"
  fi

  compiler=${CXX:-c++}
  has "${compiler%% *}" || fail "no C++ compiler: $compiler was not found (set CXX)"
  # shellcheck disable=SC2086 # CXX may hold a launcher or flags
  predefined=$($compiler -dM -E -x c++ - </dev/null 2>/dev/null || true)
  clang=$(printf '%s\n' "$predefined" | sed -n 's/^#define __clang_major__ //p')
  gcc=$(printf '%s\n' "$predefined" | sed -n 's/^#define __GNUC__ //p')
  if [ -n "$clang" ]; then
    [ "$clang" -ge 16 ] || fail "Clang $clang is too old, 16 is needed. Set CXX to a newer compiler."
  elif [ -n "$gcc" ]; then
    [ "$gcc" -ge 12 ] ||
      fail "GCC $gcc is too old, 12 is needed: \`apt-get install g++-12\`, then \`export CXX=g++-12\`"
  fi
}

ci=no
for argument in "$@"; do
  case "$argument" in
    --ci) ci=yes ;;
    *) usage ;;
  esac
done

if has apt-get && has dpkg-query; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  find_missing
  [ -z "$missing" ] || install_missing
  [ "$ci" = no ] || { install_optional && install_oracle; }
else
  list_needs
fi
check_tools
