// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Numbers would become the characters of texts
//
// A `std::string` takes a number as the character of that code. A source of numbers is none of
// texts.
//
// expect-error: the_source_yields_numbers_of_which_its_slot_cuts_something_off<int, line>
// expect-text: the source yields `int`, of which slot `line` of type `std::.*string.*` would lose a part; give the slot a type that holds it, or convert the elements
// expect-at: run\(
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>
#include <string>
#include <vector>

namespace st = stretto;

struct line : st::slot<std::string> {};
struct length : st::slot<std::size_t> {};

struct measure {
  using reads = st::reads<line>;
  using writes = st::writes<length>;
  void operator()(const std::string& in, std::size_t& out) const { out = in.size(); }
};

struct training : st::schedule<st::source<line>, st::result<length>, measure> {};

#ifdef FIXED
std::size_t sum(const std::vector<std::string>& lines) {
#else
std::size_t sum(const std::vector<int>& lines) {
#endif
  st::pipeline<training> pipeline;
  std::size_t total = 0;
  for (const std::size_t l : pipeline.run(lines)) total += l;
  return total;
}
