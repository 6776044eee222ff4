// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Schedules as JSON files, and as headers made of them. Needs nlohmann/json.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/file/new_file.hpp>
#include <stretto/dynamic/header.hpp>
#pragma GCC diagnostic pop
