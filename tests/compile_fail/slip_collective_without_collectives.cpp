// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A collective in a pipeline without collectives
//
// A collective's place in the order of all ranks is kept in any pipeline. What its body asks for
// before its slots, a communicator or what goes over it, comes from the collectives among the
// pipeline's options.
//
// expect-error: a_collective_takes_its_communicator_and_the_pipeline_has_no_collectives<average
// expect-text: task `average` is a collective, and takes before its slots what collectives give, but the pipeline has none: add `stretto::mpi::collectives` \(<stretto/mpi.hpp>\)
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct sample : st::slot<double> {};
struct mean : st::slot<double> {};

struct average {
  static constexpr bool collective = true;
  void operator()(const st::local::in_context& among, st::in<sample> in, st::out<mean> out) const {
    out = among.all_reduced(*in) / static_cast<double>(among.ranks());
  }
};

struct job : st::schedule<st::source<sample>, st::result<mean>, average> {};

#ifdef FIXED
void run(st::local::ranks& all) {
  st::pipeline<job, st::local::collectives> pipeline(st::local::rank(all, 0));
}
#else
void run() { st::pipeline<job> pipeline; }
#endif
