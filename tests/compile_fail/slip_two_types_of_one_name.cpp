// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Two slots have one name where only names count
//
// In a schedule of types each slot is its type, however a compiler spells it. A schedule of values
// has names alone: two slots that are spelled alike, such as classes inside two lambdas, would be
// one there.
//
// expect-error: two_types_have_one_name_in_a_schedule_of_values<
// expect-text: are two types with one name, and a schedule of values goes by names
// expect-lines: 12
// expect-lines-clang: 30
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};

inline const auto of_encoder = [] {
  struct weights : st::slot<int> {};
  return weights{};
};
inline const auto of_decoder = [] {
  struct weights : st::slot<float> {};
  return weights{};
};
using encoded = decltype(of_encoder());
#ifdef FIXED
struct decoded : decltype(of_decoder()) {};
#else
using decoded = decltype(of_decoder());
#endif

struct encode {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<encoded>;
  void operator()(int in, int& out) const { out = in; }
};
struct decode {
  using reads = st::reads<encoded>;
  using writes = st::writes<decoded>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<decoded>, encode, decode> {};

float sum(const int (&batches)[3]) {
  st::dynamic::pipeline pipeline(st::dynamic::from_types<training>());
  float total = 0;
  for (const auto& r : pipeline.run(batches)) total += r.get<float>();
  return total;
}
