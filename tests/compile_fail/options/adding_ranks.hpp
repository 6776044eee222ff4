// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/local.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

/// Ranks that add up what each has.
struct share : st::slot<int> {};
struct sum : st::slot<int> {};

struct add_up {
  static constexpr bool collective = true;
  using reads = st::reads<share>;
  using writes = st::writes<sum>;
  void operator()(const int&, int&) const {}
};

struct adding : st::schedule<st::source<share>, st::result<sum>, add_up> {};

using pipeline = st::pipeline<adding, st::local::collectives>;
