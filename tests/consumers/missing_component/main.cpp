// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stretto/declare/communicator.hpp>

int main() { return stretto::communicator<"world">::value == "world" ? 0 : 1; }
