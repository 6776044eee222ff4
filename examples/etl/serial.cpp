// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block after the other: what `main.cpp` and `tbb.cpp` must come to, too.
#include "stages.hpp"

static void load(stages::reader& read, stages::writer& write) {
  stages::ledger enter;
  stages::orders orders;
  stages::sales sales;
  std::string text;
  for (std::string block; read(block);) {
    stages::parse(block, orders);
    enter(orders, sales);
    stages::format(sales, text);
    write(text);
  }
}

int main(int argc, char** argv) { return stages::program(argc, argv, load); }
