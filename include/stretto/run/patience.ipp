// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <stretto/run/patience.hpp>
#include <stretto/run/text_builder.hpp>

namespace stretto::runner::detail {

STRETTO_INLINE void tell_of_wait(std::string_view sentence) noexcept {
  if (const auto tell = told_of_lost_patience.load(std::memory_order_relaxed)) {
    tell(sentence);
  } else {
    std::fprintf(stderr, "stretto: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
  }
}

STRETTO_INLINE void tell_lost_patience(std::string_view thread, bool pulls, std::string_view failed,
                                       std::size_t batch) noexcept try {
  text_builder said;
  if (failed.empty()) {
    said.add("the run has been left or cancelled");
  } else {
    said.add("task ").name(failed).add(" failed on batch ").count(batch);
  }
  said.add(", and the run cannot end: thread ").name(thread);
  said.add(pulls ? ", which pulls, is still in the source; let the source take a std::stop_token "
                   "(stretto::told_source), which says when nothing more is wanted of it"
                 : " is still in one of its tasks");
  tell_of_wait(said.text());
} catch (...) {  // no memory to say it
}

}  // namespace stretto::runner::detail
