// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/fields.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/run/sent_value_of.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// The body of a transfer, a task with `to`, whose slot holds values of a type. On one rank alone
/// it leaves the value where it is; on a rank of several it sends it or receives it.
template <slot_value Type>
body sent() {
  return shared::transfer_body::make(type_of<Type>(), runner::sent_value_of<Type>);
}

/// A task of a schedule with roles, as `stretto::transfer`: what the rank of role \p from has in a
/// slot of values of a type goes to the ranks of the roles \p to, whose tasks read it there. It is
/// called "sample_to_trainer" after the slot and the first of them, and has a smaller lookahead
/// than the task that writes the slot.
template <slot_value Type>
task transfer(std::string slot, std::string from, std::vector<std::string> to, int lookahead = 0) {
  task made;
  made.name = slot + "_to_";
  if (!to.empty()) made.name += to.front();
  made.lookahead = lookahead;
  made.role = std::move(from);
  made.to = std::move(to);
  made.writes.emplace_back(std::move(slot));
  made.body = sent<Type>();
  return made;
}

}  // namespace stretto::dynamic
