// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

/// What is tried with real processes, by name. Each returns whether this rank saw what it should;
/// it says what it saw otherwise.
namespace scenarios {

/// This process's number in the world, and how many there are.
int rank();
int ranks();

/// Notes what is not as expected, and goes on.
void expect(bool condition, const char* what, const std::string& seen = {});

/// A number that depends on all three, and differs where any does.
constexpr int value_of(std::size_t batch, int of_rank, int part) {
  return static_cast<int>(batch) * 1000 + of_rank * 10 + part;
}

void results();
void order();
void agreed();
void long_sums();
void long_sum_fails();
void long_bits_of_floats();
void throws();
void throws_inside();
void throws_meanwhile();
void stalls();
void mismatch();
void unequal();
void left();
void mpi_error();
void dies();
void misuse();
void single_thread();
void roles();
void role_fails();
void role_is_left();
void role_unplayed();
void lanes();
void lane_fails();
void lane_is_left();
void lanes_unequal();
// Of the runtime version only.
void values();
void both_versions();
void other_values();
void refused_values();

}  // namespace scenarios
