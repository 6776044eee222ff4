// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers requests, one per batch: while one is ranked, the next is decoded and its features are
// looked up. The source simply waits for the next request, on the thread of the first two stages;
// those behind them go on meanwhile, so a lone request is answered at once. `by_hand.cpp` does it
// with threads and queues.
#include <stretto/stretto.hpp>
#include "service.hpp"

namespace st = stretto;

struct request : st::slot<service::request> {};
struct query : st::slot<service::query> {};
struct features : st::slot<service::features> {};
struct ranking : st::slot<service::ranking> {};

struct decode {
  void operator()(st::in<request> in, st::out<query> out) const { service::decode(in, out); }
};
struct look_up {
  service::feature_store& store;
  void operator()(st::in<query> in, st::out<features> out) const { store(in, out); }
};
struct rank {
  service::model model;
  void operator()(st::in<features> in, st::out<ranking> out) const { model(in, out); }
};
struct reply {
  void operator()(st::in<request> to, st::in<ranking> with) const { service::reply(to, with); }
};

struct serving
    : st::schedule<st::source<request, st::thread<"front">>,
                   st::threads<st::group<"front", decode, look_up>, st::group<"back", rank, reply>>,
                   st::caller_runs<"back">, st::pipelined<>, decode, look_up, rank, reply> {};

static void serve(service::inbox& inbox, service::feature_store& store) {
  st::pipeline<serving> pipeline{look_up{store}};
  const auto next = [&](service::request& r) { return inbox.take(r); };
  for ([[maybe_unused]] const std::size_t n : pipeline.run(next)) continue;
}

int main(int argc, char** argv) { return service::program(argc, argv, serve); }
