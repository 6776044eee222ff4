// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Sources that are made of several: `zip` takes an item of each for a batch, `merge` a batch of
/// each in turn. Sources that are told when nothing more is wanted of them: `told_source`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/run/merge.hpp>
#include <stretto/run/told_source.hpp>
#include <stretto/run/zip.hpp>
#pragma GCC diagnostic pop
