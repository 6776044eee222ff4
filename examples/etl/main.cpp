// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extract, transform, load: while one block of orders is inflated, those before it are parsed,
// entered into the ledger, formatted and deflated. `tbb.cpp` does it with oneTBB.
#include <stretto/stretto.hpp>
#include "stages.hpp"

namespace st = stretto;

struct block : st::slot<std::string> {};
struct orders : st::slot<stages::orders> {};
struct sales : st::slot<stages::sales> {};
struct text : st::slot<std::string> {};

struct parse {
  void operator()(st::in<block> in, st::out<orders> out) const { stages::parse(in, out); }
};
struct enter {
  stages::ledger ledger;
  void operator()(st::in<orders> in, st::out<sales> out) { ledger(in, out); }
};
struct format {
  void operator()(st::in<sales> in, st::out<text> out) const { stages::format(in, out); }
};
struct save {
  stages::writer& file;
  void operator()(st::in<text> in) const { file(in); }
};

struct etl : st::schedule<st::source<block, st::thread<"read">>, st::threads<st::per_task>,
                          st::pipelined<>, parse, enter, format, save> {};

static void load(stages::reader& read, stages::writer& file) {
  st::pipeline<etl> pipeline{save{file}};
  for ([[maybe_unused]] const std::size_t block : pipeline.run(read)) continue;
}

int main(int argc, char** argv) { return stages::program(argc, argv, load); }
