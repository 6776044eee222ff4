// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All that is compiled once where STRETTO_COMPILED is defined. Include it in one file of a program.

#if !defined(STRETTO_COMPILED)
#  error "stretto/compiled.hpp is for where STRETTO_COMPILED is defined"
#endif

#include <stretto/dynamic/query/misuse.ipp>
#include <stretto/picture/diagram.ipp>
#include <stretto/picture/dot.ipp>
#include <stretto/picture/mermaid.ipp>
#include <stretto/plan/text/describe.ipp>
#include <stretto/plan/text/explain.ipp>
#include <stretto/plan/text/plan_view.ipp>
#include <stretto/plan/text/plan_writer.ipp>
#include <stretto/plan/text/viewed_plan.ipp>
#include <stretto/plan/text/witness.ipp>
