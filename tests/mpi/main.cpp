// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One scenario per start, each with as many processes as mpirun is told.
#include <mpi.h>
#include <cstdio>
#include <exception>
#include <map>
#include <string_view>
#include "scenarios.hpp"

namespace scenarios {
namespace {

bool as_expected = true;

const std::map<std::string_view, void (*)()> all = {{"results", results},
                                                    {"order", order},
                                                    {"agreed", agreed},
                                                    {"long_sums", long_sums},
                                                    {"long_sum_fails", long_sum_fails},
                                                    {"long_bits_of_floats", long_bits_of_floats},
                                                    {"throws", throws},
                                                    {"throws_inside", throws_inside},
                                                    {"throws_meanwhile", throws_meanwhile},
                                                    {"stalls", stalls},
                                                    {"mismatch", mismatch},
                                                    {"unequal", unequal},
                                                    {"left", left},
                                                    {"mpi_error", mpi_error},
                                                    {"dies", dies},
                                                    {"roles", roles},
                                                    {"role_fails", role_fails},
                                                    {"role_is_left", role_is_left},
                                                    {"role_unplayed", role_unplayed},
                                                    {"lanes", lanes},
                                                    {"lane_fails", lane_fails},
                                                    {"lane_is_left", lane_is_left},
                                                    {"lanes_unequal", lanes_unequal},
#if defined(STRETTO_TEST_DYNAMIC)
                                                    {"values", values},
                                                    {"both_versions", both_versions},
                                                    {"other_values", other_values},
                                                    {"refused_values", refused_values},
#endif
                                                    {"misuse", misuse},
                                                    {"single_thread", single_thread}};

}  // namespace

int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}
int ranks() {
  int number = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  return number;
}
void expect(bool condition, const char* what, const std::string& seen) {
  if (condition) return;
  as_expected = false;
  std::fprintf(stderr, "rank %d: not as expected: %s%s%s\n", rank(), what,
               seen.empty() ? "" : "; saw: ", seen.c_str());
}

}  // namespace scenarios

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const auto found = scenarios::all.find(name);
  if (found == scenarios::all.end()) return 2;
  int level = 0;
  MPI_Init_thread(&argc, &argv, name == "single_thread" ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED,
                  &level);
  try {
    found->second();
  } catch (const std::exception& e) {
    scenarios::expect(false, "an exception", e.what());
  }
  int mine = scenarios::as_expected ? 1 : 0;
  int everywhere = 0;
  MPI_Allreduce(&mine, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (scenarios::rank() == 0 && everywhere != 0)
    std::printf("all %d ranks as expected\n", scenarios::ranks());
  std::fflush(stdout);
  MPI_Finalize();
  return everywhere != 0 ? 0 : 1;
}
