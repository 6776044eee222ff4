// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>

namespace stretto {

/// An in-order queue of work, named by a type: `using stream = stretto::stream<"memcpy">;`.
/// Tasks of one stream run in the schedule's order, on the host backend too. A task without a
/// stream is a host task: only its declared edges order it.
template <fixed_string Name>
struct stream {
  using stretto_tag = tag::stream;
  static constexpr std::string_view value = Name.view();
};

/// The streams of a schedule; a task may only name one of these (rule 3).
template <fixed_string... Names>
struct streams {
  using stretto_tag = tag::streams;
  static constexpr std::size_t size = sizeof...(Names);
  static constexpr std::string_view value[size + 1] = {Names.view()..., {}};
};

}  // namespace stretto
