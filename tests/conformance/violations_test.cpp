// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What judges reports on invalid records: cases by hand, and whether it agrees with the original
// engine on which records are valid.

#include "violations.hpp"
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace {

using conformance::violation;
using nlohmann::json;

struct texts : std::vector<std::string> {
  using std::vector<std::string>::vector;
  friend std::ostream& operator<<(std::ostream& to, const texts& all) {
    for (const std::string& text : all) to << "\n  " << text;
    return to;
  }
};

/// A record of tasks of which only what matters is given.
json record(const char* tasks) {
  json all = {{"streams", {"default", "memcpy"}}, {"tasks", json::parse(tasks)}};
  for (json& t : all["tasks"]) {
    json whole = {{"name", ""}, {"stream", "default"}, {"lookahead", 0}};
    for (const char* field :
         {"reads", "writes", "depends_on", "cross_iter_depends_on", "same_progress_sync"})
      whole[field] = json::array();
    whole.update(t);
    t = whole;
  }
  return all;
}

texts wrong(const char* tasks) {
  texts all;
  const json r = record(tasks);
  for (const violation& v : conformance::violations(r)) all.push_back(text(r, v));
  return all;
}

/// Those that a report has to have.
texts to_tell(const char* tasks) {
  texts told;
  const json r = record(tasks);
  const auto all = conformance::violations(r);
  for (const violation& v : all)
    if (!is_hidden(v, all)) told.push_back(text(r, v));
  return told;
}

}  // namespace

TEST_CASE("nothing is wrong with what keeps the rules") {
  CHECK(wrong(R"([
    {"name": "a", "lookahead": 2, "stream": "memcpy", "reads": [["batch_cpu", 2]], "writes": [["x", 2]]},
    {"name": "b", "lookahead": 1, "stream": "memcpy", "reads": [["x", 1]], "writes": [["z", 1]],
     "cross_iter_depends_on": [["c", -1], ["b", -1]]},
    {"name": "c", "reads": [["x", 0]], "depends_on": ["d"], "writes": [["y", 0]]},
    {"name": "d", "same_progress_sync": ["a"], "stream": ""},
    {"name": "e", "reads": [["y", 0]], "cross_iter_depends_on": [["c", -4]]}])") == texts{});
}

TEST_CASE("rule 1") {
  CHECK(wrong("[]") == texts{"rule 1 empty_schedule"});
  CHECK(wrong(R"([{"name": "a"}, {"name": "a"}, {"name": "a"}])") ==
        texts{"rule 1 duplicate_name of \"a\" with \"a\"",
              "rule 1 duplicate_name of \"a\" with \"a\"",
              "rule 1 duplicate_name of \"a\" with \"a\""});
  const char* const unnamed = R"([{"name": ""}, {"name": ""}, {"name": "pull"}])";
  CHECK(wrong(unnamed) == texts{"rule 1 duplicate_name of \"\" with \"\"",
                                "rule 1 empty_name of \"\"", "rule 1 empty_name of \"\"",
                                "rule 1 reserved_name of \"pull\""});
  CHECK(to_tell(unnamed) == texts{"rule 1 empty_name of \"\"", "rule 1 empty_name of \"\"",
                                  "rule 1 reserved_name of \"pull\""});
}

TEST_CASE("two tasks of a name that no task may have: the name alone is told") {
  const char* const two = R"([{"name": "pull"}, {"name": "pull"}])";
  CHECK(wrong(two).size() == 3);
  CHECK(to_tell(two) ==
        texts{"rule 1 reserved_name of \"pull\"", "rule 1 reserved_name of \"pull\""});
}

TEST_CASE("rule 2") {
  CHECK(wrong(R"([{"name": "a", "lookahead": 1, "writes": [["x", 1], ["y", 0]]}])") ==
        texts{"rule 2 slot_offset_mismatch of \"a\" by writes [\"y\",0]"});
  const char* const behind = R"([{"name": "a", "writes": [["x", -1]]}])";
  CHECK(wrong(behind) == texts{"rule 2 negative_slot_offset of \"a\" by writes [\"x\",-1]",
                               "rule 2 slot_offset_mismatch of \"a\" by writes [\"x\",-1]"});
  CHECK(to_tell(behind) == texts{"rule 2 negative_slot_offset of \"a\" by writes [\"x\",-1]"});
  const char* const negative =
      R"([{"name": "a", "lookahead": -1, "writes": [["x", -1], ["y", 0]]}])";
  CHECK(wrong(negative).size() == 3);
  CHECK(to_tell(negative) == texts{"rule 2 negative_lookahead of \"a\""});
  CHECK(to_tell(R"([{"name": "a", "lookahead": -1}, {"name": "b", "writes": [["x", 1]]}])") ==
        texts{"rule 2 negative_lookahead of \"a\"",
              "rule 2 slot_offset_mismatch of \"b\" by writes [\"x\",1]"});
  const char* const two = R"([{"name": "a", "writes": [["batch_cpu", 0]]},
                              {"name": "b", "stream": "memcpy", "writes": [["batch_cpu", 0]]}])";
  CHECK(wrong(two).size() == 4);
  CHECK(to_tell(two) == texts{"rule 2 reserved_write of \"a\" by writes [\"batch_cpu\",0]",
                              "rule 2 reserved_write of \"b\" by writes [\"batch_cpu\",0]"});
}

TEST_CASE("rule 3") {
  CHECK(wrong(R"([{"name": "a", "stream": "x"}, {"name": "b", "stream": ""}])") ==
        texts{"rule 3 stream_not_declared of \"a\""});
}

TEST_CASE("rule 4") {
  CHECK(wrong(R"([{"name": "a", "writes": [["x", 0]]}, {"name": "b", "writes": [["x", 0]]},
                  {"name": "c", "lookahead": 1, "writes": [["x", 1]]}])") ==
        texts{"rule 4 multiple_writers of \"b\" by writes [\"x\",0] with \"a\""});
  CHECK(wrong(R"([{"name": "a", "writes": [["x", 0]]},
                  {"name": "b", "lookahead": 1, "stream": "memcpy", "writes": [["x", 1]]},
                  {"name": "c", "lookahead": 2, "writes": [["x", 2]]}])") ==
        texts{"rule 4 name_multi_stream of \"b\" by writes [\"x\",1] with \"a\"",
              "rule 4 name_multi_stream of \"c\" by writes [\"x\",2] with \"b\""});
}

TEST_CASE("rule 5") {
  CHECK(wrong(R"([{"name": "a", "reads": [["x", 0]]}])") ==
        texts{"rule 5 unresolved_read of \"a\" by reads [\"x\",0]"});
  CHECK(wrong(R"([{"name": "a", "lookahead": 1, "reads": [["x", 1]]},
                  {"name": "b", "writes": [["x", 0]]}])") ==
        texts{"rule 5 slot_future_read of \"a\" by reads [\"x\",1] with \"b\""});
  CHECK(wrong(R"([{"name": "a", "reads": [["batch_cpu", 0]]},
                  {"name": "b", "reads": [["batch_cpu", 1]]}])") ==
        texts{"rule 2 slot_offset_mismatch of \"b\" by reads [\"batch_cpu\",1]",
              "rule 5 slot_future_read of \"b\" by reads [\"batch_cpu\",1] with the source"});
  CHECK(wrong(R"([{"name": "a", "reads": [["x", 0]], "writes": [["x", 0]]}])") ==
        texts{"rule 5 reader_not_after_writer of \"a\" by reads [\"x\",0] with \"a\""});
}

TEST_CASE("rule 6: names") {
  CHECK(wrong(R"([{"name": "a", "depends_on": ["b"]}])") ==
        texts{"rule 6 unknown_name of \"a\" by depends_on \"b\""});
  const char* const twice =
      R"([{"name": "a", "depends_on": ["b"], "same_progress_sync": ["b", "b"]}, {"name": "b"}])";
  CHECK(wrong(twice) ==
        texts{"rule 6 field_overlap of \"a\" by same_progress_sync \"b\" with \"b\"",
              "rule 6 listed_twice of \"a\" by same_progress_sync \"b\" with \"b\""});
  CHECK(to_tell(twice) ==
        texts{"rule 6 field_overlap of \"a\" by same_progress_sync \"b\" with \"b\""});
  CHECK(wrong(R"([{"name": "a", "writes": [["x", 0], ["x", 0]],
                   "cross_iter_depends_on": [["b", -1], ["b", -1], ["b", -2]]}, {"name": "b"}])") ==
        texts{"rule 6 listed_twice of \"a\" by cross_iter_depends_on [\"b\",-1] with \"b\"",
              "rule 6 listed_twice of \"a\" by writes [\"x\",0]"});
}

TEST_CASE("rule 6: what is named is done in time") {
  CHECK(wrong(R"([{"name": "a", "lookahead": 1, "depends_on": ["b"]}, {"name": "b"}])") ==
        texts{"rule 6 depends_future_read of \"a\" by depends_on \"b\" with \"b\""});
  // Batch b - 2 in the same progress, b - 1 a progress later.
  CHECK(wrong(R"([{"name": "a", "lookahead": 2,
                   "cross_iter_depends_on": [["b", -2], ["b", -1]]}, {"name": "b"}])") ==
        texts{"rule 6 cross_iter_future_read of \"a\" by cross_iter_depends_on [\"b\",-1] with "
              "\"b\""});
  const char* const later =
      R"([{"name": "a", "cross_iter_depends_on": [["b", 1]]}, {"name": "b"}])";
  CHECK(wrong(later).size() == 2);
  CHECK(to_tell(later) ==
        texts{"rule 6 cross_offset_not_negative of \"a\" by cross_iter_depends_on [\"b\",1] with "
              "\"b\""});
}

TEST_CASE("rule 6: nothing else is said of what is no earlier batch") {
  const char* const restated = R"([{"name": "a", "lookahead": 1, "writes": [["x", 1]]},
                                   {"name": "b", "reads": [["x", 1]],
                                    "cross_iter_depends_on": [["a", 0]]}])";
  CHECK(wrong(restated).size() == 3);
  CHECK(to_tell(restated) ==
        texts{"rule 2 slot_offset_mismatch of \"b\" by reads [\"x\",1]",
              "rule 6 cross_offset_not_negative of \"b\" by cross_iter_depends_on [\"a\",0] with "
              "\"a\""});
  const char* const gone = R"([{"name": "a"}, {"name": "b", "stream": "memcpy", "lookahead": -1,
                                               "cross_iter_depends_on": [["a", 0]]}])";
  CHECK(wrong(gone).size() == 3);
  CHECK(to_tell(gone) ==
        texts{"rule 2 negative_lookahead of \"b\"",
              "rule 6 cross_offset_not_negative of \"b\" by cross_iter_depends_on [\"a\",0] with "
              "\"a\""});
}

TEST_CASE("rule 6: what is named is still there") {
  // In flight are batches b and b - 1; on one stream the order of the stream is enough.
  CHECK(wrong(R"([{"name": "a", "lookahead": 1,
                   "cross_iter_depends_on": [["b", -1], ["b", -2], ["c", -3]]},
                  {"name": "b", "stream": "memcpy", "lookahead": 1}, {"name": "c"}])") ==
        texts{"rule 6 cross_iter_rotated_out of \"a\" by cross_iter_depends_on [\"b\",-2] with "
              "\"b\""});
}

TEST_CASE("rule 6: what is named is not what a read says already") {
  CHECK(wrong(R"([{"name": "a", "lookahead": 1, "writes": [["x", 1]]},
                  {"name": "b", "reads": [["x", 0]],
                   "cross_iter_depends_on": [["a", -1], ["a", -2]]}])") ==
        texts{"rule 6 redundant_cross_iter of \"b\" by cross_iter_depends_on [\"a\",-1] with "
              "\"a\""});
}

TEST_CASE("rule 7") {
  CHECK(wrong(R"([{"name": "a", "depends_on": ["a"]}])") ==
        texts{"rule 7 cycle of \"a\" with \"a\""});
  // Each kind of wait inside a progress; a task that only waits for them is in none.
  CHECK(wrong(R"([{"name": "a", "reads": [["x", 0]]},
                  {"name": "b", "writes": [["x", 0]], "depends_on": ["c"]},
                  {"name": "c", "lookahead": 1, "cross_iter_depends_on": [["d", -1]]},
                  {"name": "d", "same_progress_sync": ["a"]},
                  {"name": "e", "depends_on": ["a"]}])") == texts{});
  CHECK(wrong(R"([{"name": "a", "reads": [["x", 0]]},
                  {"name": "b", "writes": [["x", 0]], "same_progress_sync": ["c"]},
                  {"name": "c", "lookahead": 1, "cross_iter_depends_on": [["d", -1]]},
                  {"name": "d", "depends_on": ["a"]},
                  {"name": "e", "depends_on": ["a"]}])") ==
        texts{"rule 7 cycle of \"a\" with \"b\"", "rule 7 cycle of \"b\" with \"c\"",
              "rule 7 cycle of \"c\" with \"d\"", "rule 7 cycle of \"d\" with \"a\""});
}

TEST_CASE("a name that two tasks have means the first") {
  CHECK(wrong(R"([{"name": "b"}, {"name": "a", "lookahead": 1, "depends_on": ["b"]},
                  {"name": "b", "lookahead": 1}])") ==
        texts{"rule 1 duplicate_name of \"b\" with \"b\"",
              "rule 6 depends_future_read of \"a\" by depends_on \"b\" with \"b\""});
}

TEST_CASE("what tells of what") {
  const violation one{4, "name_multi_stream", 2, 0, "writes [\"x\",0]"};
  violation other = one;
  CHECK(is_told_by(one, other));
  other.other = 1;
  CHECK(is_told_by(one, other));
  other.entry = "writes [\"x\",1]";
  CHECK_FALSE(is_told_by(one, other));
  CHECK_FALSE(conformance::is_told_by({4, "multiple_writers", 2, 0, "w"},
                                      {4, "multiple_writers", 2, 1, "w"}));
  CHECK_FALSE(conformance::is_told_by({7, "cycle", 2, 0}, one));
  CHECK(conformance::is_told_by({7, "cycle", 2, 0}, {7, "cycle", 3, 4}));
}

TEST_CASE("the original engine agrees on which records are valid, and why others are not") {
  std::size_t count = 0;
  for (const char* file : {"hstu.jsonl", "documented.jsonl", "random.jsonl"}) {
    std::ifstream in(std::string(STRETTO_GOLDENS) + "/" + file);
    for (std::string line; std::getline(in, line); ++count) {
      const json r = json::parse(line);
      CAPTURE(r["id"].get<std::string>());
      const auto all = conformance::violations(r);
      CHECK(all.empty() == (r["verdict"] == "valid"));
      bool same = all.empty();
      for (const violation& v : all)
        same = same ||
               (r["error"]["kind"] == v.kind && r["error"]["rule"] == v.rule && !is_hidden(v, all));
      CHECK(same);
    }
  }
  CHECK(count == 694);
}
