// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What travels between ranks means the same on every machine.

#include <doctest/doctest.h>
#include <cstdint>
#include <stdexcept>
#include <stretto/collective/message.hpp>
#include <string>

using stretto::collective::message;
using stretto::collective::reader;
using stretto::collective::writer;

TEST_CASE("numbers take eight bytes, the least first; texts say their length before") {
  CHECK(writer().number(0x0102030405060708U).made() == "\x08\x07\x06\x05\x04\x03\x02\x01");
  CHECK(writer().text("ab").made() == std::string("\2\0\0\0\0\0\0\0ab", 10));
}

TEST_CASE("a message is taken apart in the order in which it was put together") {
  const message made = writer()
                           .number(~std::uint64_t{0})
                           .text(std::string("\0\xFF", 2))
                           .text("")
                           .number(0x80)
                           .made();
  reader in(made);
  CHECK(in.number() == ~std::uint64_t{0});
  CHECK(in.text() == std::string("\0\xFF", 2));
  CHECK(in.text().empty());
  CHECK(in.size() == 0x80);
  CHECK_THROWS_AS(in.number(), std::runtime_error);
}

TEST_CASE("a message that is cut short is an error, wherever it is cut") {
  const message made = writer().number(1).text("some text").made();
  for (std::size_t bytes = 0; bytes < made.size(); ++bytes) {
    const auto read = [&] {
      reader in(std::string_view(made).substr(0, bytes));
      return in.number() + in.text().size();
    };
    CHECK_THROWS_AS(read(), std::runtime_error);
  }
  CHECK_THROWS_AS(reader(writer().number(~std::uint64_t{0}).made()).text(), std::runtime_error);
}
