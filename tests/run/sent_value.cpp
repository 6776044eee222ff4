// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <any>
#include <cstddef>
#include <memory>
#include <span>
#include <stretto/run/sent_value_of.hpp>
#include <string>
#include <vector>

namespace runner = stretto::runner;

TEST_CASE("a value whose type is forgotten goes as a copy and as bytes") {
  const std::vector<int> sent{1, 2, 3};
  const runner::sent_value& how = runner::sent_value_of<std::vector<int>>;
  std::any copy = how.copy(&sent);
  std::vector<int> received{7};
  CHECK(how.take(&received, copy));
  CHECK(received == sent);
  std::vector<int> assigned(9);
  CHECK(how.assign(&assigned, how.bytes(&sent)));
  CHECK(assigned == sent);
}

TEST_CASE("what was sent of another type is not taken") {
  std::any other = 7;
  std::string text = "stays";
  CHECK_FALSE(bool(runner::sent_value_of<std::string>.take(&text, other)));
  int number = 5;
  CHECK_FALSE(bool(runner::sent_value_of<int>.assign(&number, std::span<const std::byte>())));
  CHECK(text == "stays");
  CHECK(number == 5);
}

TEST_CASE("values say that they have no copies, and that they are more than bytes") {
  CHECK_FALSE(bool(runner::sent_value_of<std::unique_ptr<int>>.copy));
  CHECK_FALSE(bool(runner::sent_value_of<std::unique_ptr<int>>.bytes));
  CHECK(bool(runner::sent_value_of<std::vector<std::string>>.copy));
  CHECK_FALSE(bool(runner::sent_value_of<std::vector<std::string>>.bytes));
}
