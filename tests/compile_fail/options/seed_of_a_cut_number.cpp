// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A position is given a number of which its slot loses a part
//
// The language makes an integer of any fraction, and nobody would see it happen.
//
// expect-error: a_position_holds_a_number_of_which_its_slot_cuts_something_off<double, int>
// expect-text: a position is given `double`, of which its slot, of type `int`, would lose a part: give the slot a type that holds it, or convert it
// expect-at: seed<square>\(
// expect-lines: 18
#include <stretto/position.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

st::position at(double saved) {
  st::position where(4);
#ifdef FIXED
  where.seed<square>(3, static_cast<int>(saved));
#else
  where.seed<square>(3, saved);
#endif
  return where;
}
