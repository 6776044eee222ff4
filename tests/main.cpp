// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <cstdio>
#include "support/seed.hpp"

namespace {

/// Says of a test case that fails what it was drawn from, and how to run it again.
class seed_of_failure : public doctest::IReporter {
 public:
  explicit seed_of_failure(const doctest::ContextOptions& options) : options_(options) {}

  void test_case_start(const doctest::TestCaseData& started) override {
    name_ = started.m_name;
    seeds::drawn_from.reset();
  }
  void test_case_end(const doctest::CurrentTestCaseStats& ended) override {
    if (ended.testCaseSuccess || !seeds::drawn_from) return;
    std::printf("drawn from seed %u; again: ", *seeds::drawn_from);
    if (seeds::given()) std::printf("STRETTO_SEED=%u ", *seeds::drawn_from);
    std::printf("%s --test-case='", options_.binary_name.c_str());
    // What a shell or a filter would read otherwise is any character.
    for (const char* at = name_; *at != '\0'; ++at)
      std::putchar(*at == '\'' || *at == ',' || *at == '\\' ? '?' : *at);
    std::printf("'\n");
    std::fflush(stdout);
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  const doctest::ContextOptions& options_;
  const char* name_ = "";
};

REGISTER_LISTENER("seed of a failure", 1, seed_of_failure);

}  // namespace
