// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic.hpp>
#include <string>

/// A type that all files know.
struct shared_item {
  std::string text;
};

/// Of identity_elsewhere.cpp, where `item` is another type than in identity.cpp.
stretto::dynamic::body fill_item_elsewhere();
stretto::dynamic::body fill_shared_elsewhere();
stretto::dynamic::body same_closure_elsewhere();

/// Of a shared library that hides its symbols.
extern "C" [[gnu::visibility("default")]] void fill_in_library(stretto::dynamic::body& item,
                                                               stretto::dynamic::body& shared);

namespace {

/// A closure of each file's own.
inline auto closure_of_this_file() {
  return [](int from, int& to) { to = from; };
}

}  // namespace
