// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::testing::recording {

class world;
struct machine;
struct operand;

struct stream_object;
struct event_object;
struct graph_object;
struct executable_object;
struct pool_object;

using stream = stream_object*;
using event = event_object*;
using graph = graph_object*;
using executable = executable_object*;
using pool = pool_object*;

}  // namespace stretto::testing::recording
