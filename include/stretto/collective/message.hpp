// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stretto::collective {

/// What travels between ranks: bytes.
using message = std::string;

/// Puts a message together, byte by byte, so that it means the same on every machine.
class writer {
 public:
  writer& number(std::uint64_t n) {
    for (int i = 0; i < 8; ++i) made_.push_back(static_cast<char>(n >> (8 * i) & 0xffU));
    return *this;
  }
  writer& text(std::string_view s) {
    number(s.size());
    made_.append(s);
    return *this;
  }
  const message& made() const { return made_; }

 private:
  message made_;
};

/// Takes a message apart in the order in which it was put together. Throws `std::runtime_error` if
/// it is shorter than that: the ranks run different versions.
class reader {
 public:
  explicit reader(std::string_view from) : left_(from) {}

  std::uint64_t number() {
    std::uint64_t n = 0;
    const std::string_view bytes = take(8);
    for (std::size_t i = 0; i < 8; ++i)
      n |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return n;
  }
  std::size_t size() { return static_cast<std::size_t>(number()); }
  std::string text() { return std::string(take(size())); }

 private:
  std::string_view take(std::size_t bytes) {
    if (left_.size() < bytes)
      throw std::runtime_error("a peer's message is cut short: do all ranks run one program?");
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }

  std::string_view left_;
};

}  // namespace stretto::collective
