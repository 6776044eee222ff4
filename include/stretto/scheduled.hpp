// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A schedule that the compiler finds: see docs/search.md.

#include <stretto/static/query/scheduled.hpp>
