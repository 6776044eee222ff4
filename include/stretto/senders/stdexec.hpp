// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if !__has_include(<stdexec/execution.hpp>)
#  error "<stretto/senders.hpp> needs the headers of https://github.com/NVIDIA/stdexec"
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <stdexec/execution.hpp>
#pragma GCC diagnostic pop
