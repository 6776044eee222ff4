// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The parts that the ranking example's tasks are made of.

#include <doctest/doctest.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include "../support/scratch.hpp"
#include "../support/seed.hpp"
#include "baseline.hpp"
#include "encoding.hpp"
#include "flights.hpp"
#include "input_dist.hpp"
#include "metrics.hpp"
#include "shuffle.hpp"
#include "small_flights.hpp"
#include "split.hpp"

namespace {

using namespace ranking;

std::string message(const std::string& text) {
  try {
    const flight_file file = flight_file::parse("x.csv", text);
    const split_rows rows = split_by_day(file);
    const vocabulary words(file, rows.training);
    raw_batch raw{0, &file, rows.training};
    columns out;
    batch_context context;
    h2d(words, raw, out, context);
  } catch (const data_error& e) {
    return e.what();
  }
  return "no error";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a malformed file is an error that names the place") {
  const std::string good = small_flights(200);
  CHECK(message(good) == "no error");
  CHECK(message("") == "x.csv: is empty");
  CHECK(message("a,b\n").starts_with("x.csv, line 1: the header is \"a,b\", expected"));
  CHECK(message(good.substr(0, good.find('\n') + 1)) == "x.csv: has a header but no rows");
  CHECK(message(good.substr(0, good.size() - 5)).starts_with("x.csv, line 201: has no end"));
  CHECK(message(with(good, ",2475,", ",24x5,")) ==
        "x.csv, line 2: column distance: \"24x5\" is not a number");
  CHECK(message(with(good, ",615,", ",675,")) ==
        "x.csv, line 2: column sched_dep_time: \"675\" is not a time of day");
  CHECK(message(with(good, ",JFK,LAX", ",JFKLAX")).starts_with("x.csv, line 2: has 17 columns"));
}

TEST_CASE("a truncated compressed file is an error, not a shorter file") {
  const tested::scratch_folder here;
  const auto path = here.path() / "truncated.csv.gz";
  {
    std::ifstream in(RANKING_DATA, std::ios::binary);
    std::string bytes(100000, '\0');
    REQUIRE(in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())));
    std::ofstream(path, std::ios::binary) << bytes;
  }
  CHECK_THROWS_WITH_AS(flight_file::load(path), doctest::Contains("ends in the middle"),
                       data_error);
  std::filesystem::remove(path);
  CHECK_THROWS_WITH_AS(flight_file::load(path), doctest::Contains("cannot be opened"), data_error);
}

TEST_CASE("the shipped data is what its description says") {
  const flight_file file = flight_file::load(RANKING_DATA);
  CHECK(file.rows() == 336776);
  const split_rows rows = split_by_day(file);
  CHECK(rows.training.size() + rows.held_out.size() == file.rows());
  CHECK(rows.held_out.size() == 56516);
  CHECK(count_without_outcome(file, rows.training) + count_without_outcome(file, rows.held_out) ==
        9430);
}

TEST_CASE("the area under the curve is the share of pairs in the right order") {
  std::mt19937 random(seeds::first(5));
  for (int round = 0; round < 20; ++round) {
    std::vector<prediction> predictions;
    for (int i = 0; i < 60; ++i)  // with ties
      predictions.push_back({static_cast<float>(random() % 12), random() % 2 == 0});
    double right = 0.0;
    double pairs = 0.0;
    for (const prediction& late : predictions) {
      for (const prediction& early : predictions) {
        if (!late.late || early.late) continue;
        pairs += 1.0;
        right += late.logit > early.logit ? 1.0 : late.logit == early.logit ? 0.5 : 0.0;
      }
    }
    CHECK(area_under_curve(predictions) == doctest::Approx(right / pairs));
  }
}

TEST_CASE("shuffling keeps the rows, and the safety check sees when it does not") {
  const flight_file file = flight_file::parse("x.csv", small_flights(300));
  std::vector<std::uint32_t> rows(300);
  std::iota(rows.begin(), rows.end(), 0U);
  const vocabulary words(file, rows);
  columns decoded, shuffled;
  batch_context context;
  permutation order;
  h2d(words, {7, &file, rows}, decoded, context);
  start_shuffle(decoded, context, order);
  finish_shuffle(decoded, order, shuffled);
  CHECK(shuffled.keys != decoded.keys);
  CHECK_NOTHROW(nccl_safety_barrier(shuffled, context));
  shuffled.keys[0][0] = shuffled.keys[0][0] == 0 ? 1 : 0;
  CHECK_THROWS_AS(nccl_safety_barrier(shuffled, context), std::logic_error);
}

TEST_CASE("input distribution finds every key once, and where it is needed") {
  const flight_file file = flight_file::parse("x.csv", small_flights(300));
  std::vector<std::uint32_t> rows(300);
  std::iota(rows.begin(), rows.end(), 0U);
  const vocabulary words(file, rows);
  columns batch;
  batch_context context;
  sharded_keys sharded;
  unique_rows unique;
  h2d(words, {0, &file, rows}, batch, context);
  start_input_dist(batch, context, sharded);
  wait_input_dist distribute(words.table_rows());
  distribute(sharded, unique);
  auto sorted = unique.key;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  for (std::size_t row = 0; row < batch.rows; ++row)
    for (std::size_t k = 0; k < key_count; ++k)
      REQUIRE(unique.key[unique.index_at[row * key_count + k]] == batch.keys[k][row]);
}

TEST_CASE("the cache is the one truth for rows in flight") {
  embedding_table table(64, 1);
  row_cache cache(64, 8);
  const std::vector<std::uint32_t> first{1, 2, 3};
  const std::vector<std::uint32_t> second{3, 4};
  cached_rows a, b;
  cache.acquire(first, table, a);
  cache.acquire(second, table, b);
  CHECK(a.line[2] == b.line[0]);
  cache[a.line[2]].weight[0] = 42.0F;
  CHECK(cache[b.line[0]].weight[0] == 42.0F);
  CHECK(table[3].weight[0] != 42.0F);
  cache.release(a);
  SUBCASE("eviction writes back what nobody pins, and nothing else") {
    cached_rows c;
    const std::vector<std::uint32_t> others{10, 11, 12, 13, 14, 15};
    cache.acquire(others, table, c);
    CHECK(cache[b.line[0]].weight[0] == 42.0F);
    cache.release(b);
    cache.release(c);
    cached_rows d;
    const std::vector<std::uint32_t> more{20, 21, 22, 23, 24, 25, 26, 27};
    cache.acquire(more, table, d);
    CHECK(table[3].weight[0] == 42.0F);
  }
  SUBCASE("too many pins are an error that leaves the cache as it was") {
    cached_rows c;
    const std::vector<std::uint32_t> others{10, 11, 12, 13, 14, 15, 16};
    CHECK_THROWS_AS(cache.acquire(others, table, c), std::length_error);
    const std::vector<std::uint32_t> fewer{10, 11, 12, 13, 14, 15};
    CHECK_NOTHROW(cache.acquire(fewer, table, c));
  }
}
