// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "type_identity_shared.hpp"

namespace {

struct item {
  std::string text;
};

}  // namespace

stretto::dynamic::body fill_item_elsewhere() {
  return [](int n, item& to) { to.text = std::string(100, static_cast<char>('a' + n)); };
}
stretto::dynamic::body fill_shared_elsewhere() {
  return [](int n, shared_item& to) { to.text = std::to_string(n); };
}
stretto::dynamic::body same_closure_elsewhere() { return closure_of_this_file(); }

#if defined(STRETTO_TEST_LIBRARY)
void fill_in_library(stretto::dynamic::body& item, stretto::dynamic::body& shared) {
  item = fill_item_elsewhere();
  shared = fill_shared_elsewhere();
}
#endif
