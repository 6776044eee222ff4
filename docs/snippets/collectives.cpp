// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mpirun -n 2 docs_collectives
#include <mpi.h>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stretto/dynamic.hpp>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct sample : st::slot<std::vector<double>> {};
struct mean : st::slot<std::vector<double>> {};
struct sending : st::slot<std::vector<double>> {};
struct largest : st::slot<double> {};

// [task]
struct average {
  static constexpr bool collective = true;
  using reads = st::reads<sample>;
  using writes = st::writes<mean>;
  void operator()(st::context auto& ctx, const std::vector<double>& in,
                  std::vector<double>& out) const {
    out.resize(in.size());
    ctx.all_reduce(in, out);  // waits
    for (double& x : out) x /= ctx.ranks();
  }
};
// [task]

// [split]
struct started {
  std::vector<double> values;
  MPI_Request request = MPI_REQUEST_NULL;
};
struct in_flight : st::slot<started> {};

struct begin_most {
  static constexpr bool collective = true;
  using stream = st::stream<"most">;
  static constexpr int lookahead = 1;
  using reads = st::reads<sample>;
  using writes = st::writes<in_flight>;
  void operator()(const st::mpi::in_context& among, const std::vector<double>& in,
                  started& s) const {
    s.values = in;
    st::mpi::checked(MPI_Iallreduce(MPI_IN_PLACE, s.values.data(), static_cast<int>(in.size()),
                                    MPI_DOUBLE, MPI_MAX, among.communicator(), &s.request),
                     "MPI_Iallreduce");
  }
};
struct end_most {
  static constexpr bool collective = true;  // it waits for ranks, too
  using stream = st::stream<"most">;
  using reads = st::reads<in_flight>;
  using writes = st::writes<largest>;
  void operator()(const st::mpi::in_context& among, const started& s, double& out) const {
    among.wait(s.request);
    out = s.values.front();
  }
};
// [split]

// [communicator]
struct exchange {
  static constexpr bool collective = true;
  using communicator = st::communicator<"node">;
  using reads = st::reads<sample>;
  using writes = st::writes<sending>;
  void operator()(st::context auto& ctx, const std::vector<double>& in,
                  std::vector<double>& out) const {
    out.resize(in.size() * static_cast<std::size_t>(ctx.ranks()));
    ctx.all_gather(in, out);
  }
};
// [communicator]

struct job : st::schedule<st::source<sample>, st::result<mean, largest>, st::streams<"most">,
                          begin_most, end_most, average, exchange> {};

// [agreed]
struct even_job : st::schedule<st::source<sample>, st::result<mean>, st::agreed_end, average> {};
// [agreed]

// [value]
namespace dynamic = stretto::dynamic;
using among_ranks = st::context_of<st::no_device, st::mpi::collectives>;

dynamic::schedule job_as_a_value() {
  return {.name = "job",
          .source = {.slot = "sample"},
          .results = {"mean"},
          .tasks = {{.name = "exchange",
                     .collective = true,
                     .communicator = "node",
                     .reads = {"sample"},
                     .writes = {"all"},
                     .body =
                         [](const st::mpi::in_context& node, const std::vector<double>& in,
                            std::vector<double>& out) {
                           out.resize(in.size() * static_cast<std::size_t>(node.ranks()));
                           node.all_gather(in, out);
                         }},
                    {.name = "average",  // of all batches so far
                     .collective = true,
                     .reads = {"all"},
                     .writes = {"mean"},
                     .body = [total = 0.0](among_ranks& ctx, const std::vector<double>& in,
                                           double& out) mutable {
                       for (const double x : in) total += x;
                       out = ctx.all_reduced(total) / ctx.ranks() /
                             static_cast<double>(ctx.batch() + 1);
                     }}}};
}
// [value]

int run() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<std::vector<double>> mine(4, {1.0 + rank, 3.0});
  {
    // [pipeline]
    st::pipeline<job, st::mpi::collectives> pipeline{
        st::mpi::communicators{{"world", MPI_COMM_WORLD}, {"node", node}},
        st::mpi::timeout(std::chrono::seconds(30))};
    for (const auto& [mean, largest] : pipeline.run(mine))
      if (rank == 0) std::printf("mean %g, largest %g\n", mean[0], largest);
    // [pipeline]
    // [run_value]
    dynamic::pipeline<st::mpi::collectives> made_at_run_time(
        job_as_a_value(), st::mpi::communicators{{"world", MPI_COMM_WORLD}, {"node", node}},
        st::mpi::timeout(std::chrono::seconds(30)));
    for (const dynamic::result& r : made_at_run_time.run(mine))
      if (rank == 0) std::printf("mean %g\n", r.get<double>());
    // [run_value]
    // Rank 1 has more batches than rank 0.
    st::pipeline<even_job, st::mpi::collectives> even;
    const std::vector<std::vector<double>> unequal(2 + static_cast<std::size_t>(rank), {1.0});
    std::size_t batches = 0;
    for ([[maybe_unused]] const auto& mean : even.run(unequal)) ++batches;
    if (batches != 2) return 1;
  }
  MPI_Comm_free(&node);
  return 0;
}

// [main]
int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  int code = 1;
  try {
    code = run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // collectives may never complete
  }
  MPI_Finalize();
  return code;
}
// [main]
