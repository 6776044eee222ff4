// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/advice/change.hpp>
#include <stretto/advice/code.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>

namespace stretto::advising {

/// Changes of a schedule of types as another plan of it: `st::replan<learning, st::slack<image>>`.
/// \p s is the schedule with them.
STRETTO_INLINE std::string as_replan(const spelling& how, const dynamic::schedule& s,
                                     const changes& all);

/// Changes as a patch of the schedule's file, in JSON (RFC 6902). \p s is the schedule with them.
STRETTO_INLINE std::string as_patch(const dynamic::schedule& s, const changes& all);

}  // namespace stretto::advising

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/spelled.ipp>
#endif
