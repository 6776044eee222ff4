// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// A type that a schedule file names.
struct Batch {};
