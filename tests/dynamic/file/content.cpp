// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What files hold, up to a limit.

#include <doctest/doctest.h>
#include <cstddef>
#include <filesystem>
#include <stretto/cost_file.hpp>
#include <stretto/dynamic/file/content.hpp>
#include <stretto/dynamic/file/new_file.hpp>
#include <stretto/schedule_file.hpp>
#include <string>
#include "../../support/scratch.hpp"

namespace {

namespace dynamic = stretto::dynamic;

template <class Read>
std::string refusal(Read read) {
  try {
    read();
  } catch (const dynamic::file_error& e) {
    return e.what();
  }
  return "";
}
std::string refused(const std::string& path, std::size_t most) {
  return refusal([&] { static_cast<void>(dynamic::shared::content_of(path, most)); });
}

}  // namespace

TEST_CASE("a file is read up to its limit, and not beyond") {
  const tested::scratch_folder here;
  const std::string path = (here.path() / "file").string();
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  dynamic::write_file(path, std::string(mebibyte, 'x'));
  CHECK(dynamic::shared::content_of(path, mebibyte) == std::string(mebibyte, 'x'));
  dynamic::write_file(path, std::string(mebibyte + 1, 'x'));
  CHECK(refused(path, mebibyte) == path + ": longer than 1 MiB");
  CHECK(refused("no/such/file", mebibyte) == "no/such/file: no such file");
  CHECK(refused(here.path().string(), mebibyte) ==
        here.path().string() + ": a directory, not a file");
}

TEST_CASE("every reader has a limit") {
  if (!std::filesystem::exists("/dev/zero")) return;
  const std::string path = "/dev/zero";
  CHECK(refusal([&] { dynamic::load(path); }) == "/dev/zero: longer than 32 MiB");
  CHECK(refusal([&] { stretto::cost_table::load(path); }) == "/dev/zero: longer than 32 MiB");
  CHECK(refusal([&] { stretto::cost_table::load_nvtx(path); }) == "/dev/zero: longer than 32 MiB");
  CHECK(refusal([&] { stretto::cost_table::load_trace(path); }) ==
        "/dev/zero: longer than 512 MiB");
}

TEST_CASE("a zero byte does not end what is read of a file") {
  using namespace std::string_literals;
  const std::string text = R"({"stretto": 1, "nanoseconds": {}})"s;
  CHECK(refusal([&] { stretto::cost_table::parse(text); }).empty());
  CHECK(refusal([&] { stretto::cost_table::parse(text + "\0x"s); }) ==
        "costs.json:1:34: not JSON: a zero byte");
}
