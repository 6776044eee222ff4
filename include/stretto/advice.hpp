// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Which edits of a plan would pay: `advise`, by weights or by costs that a timeline measured.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/advice/advice.hpp>
#include <stretto/advice/advise.hpp>
#include <stretto/advice/candidates.hpp>
#include <stretto/advice/change.hpp>
#include <stretto/advice/code.hpp>
#include <stretto/advice/fidelity.hpp>
#include <stretto/advice/moved_along.hpp>
#include <stretto/advice/price.hpp>
#include <stretto/advice/same_effects.hpp>
#include <stretto/advice/search.hpp>
#include <stretto/advice/spelled.hpp>
#include <stretto/advice/spelled_types.hpp>
#include <stretto/advice/split.hpp>
#pragma GCC diagnostic pop
