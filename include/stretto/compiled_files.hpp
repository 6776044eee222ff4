// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All of schedule files that is compiled once where STRETTO_COMPILED is defined. Include it, along
/// with compiled.hpp, in one file of a program; it needs nlohmann/json.

#if !defined(STRETTO_COMPILED)
#  error "stretto/compiled_files.hpp is for where STRETTO_COMPILED is defined"
#endif

#include <stretto/dynamic/file.ipp>
#include <stretto/dynamic/file/content.ipp>
#include <stretto/dynamic/file/document.ipp>
#include <stretto/dynamic/file/new_file.ipp>
#include <stretto/dynamic/file/problem.ipp>
