// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// A recorded run and its plan on a page of HTML; two runs on one; what is drawn there as pictures.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/report/pictures.hpp>
#include <stretto/report/write_comparison.hpp>
#include <stretto/report/write_report.hpp>
#pragma GCC diagnostic pop
