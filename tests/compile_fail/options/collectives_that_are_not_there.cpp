// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The context of a collective is asked for what no collectives give
//
// In a pipeline without collectives it has what other contexts have. The error is the compiler's
// own, at the line that asks, and has the name of the context, which says what to do.
//
// expect-compilers: each, not nvcc
// expect-error: the_pipeline_has_no_collectives_add_those_of_stretto_mpi_nccl_or_local_to_its_options<average
// expect-at: ctx.all_reduced
// expect-lines: 40
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct sample : st::slot<double> {};
struct mean : st::slot<double> {};

struct average {
  static constexpr bool collective = true;
  void operator()(st::context auto& ctx, st::in<sample> in, st::out<mean> out) const {
    out = ctx.all_reduced(*in);
  }
};

struct job : st::schedule<st::source<sample>, st::result<mean>, average> {};

void run([[maybe_unused]] st::local::ranks& all, std::vector<double> numbers) {
#ifdef FIXED
  st::pipeline<job, st::local::collectives> pipeline(st::local::rank(all, 0));
#else
  st::pipeline<job> pipeline;
#endif
  for ([[maybe_unused]] const double m : pipeline.run(numbers)) continue;
}
