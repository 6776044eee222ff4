// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Plans as pictures, for GraphViz and Mermaid.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/picture/dot.hpp>
#include <stretto/picture/mermaid.hpp>
#pragma GCC diagnostic pop
