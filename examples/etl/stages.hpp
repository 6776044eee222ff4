// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the stages do, whoever runs them: orders come in from a gzip file, and go out to another
// with how often their article was sold and what their store took by then. Nothing here knows a
// library for pipelines.
#pragma once

#include <zlib.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stages {

using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

class closes {
 public:
  void operator()(gzFile f) const { gzclose(f); }
};
using gzip = std::unique_ptr<gzFile_s, closes>;

// --- extract ------------------------------------------------------------------------------------

/// Hands out the text of a file in blocks of whole lines.
class reader {
 public:
  explicit reader(const file& in);
  bool operator()(std::string& block);

 private:
  gzip in_;
  std::string rest_;  // of a line
};

// --- transform ----------------------------------------------------------------------------------

using identifier = std::array<char, 16>;
using currency = std::array<char, 3>;

struct order {
  identifier id{};
  std::uint32_t second = 0;  // of the day
  std::uint32_t store = 0;
  std::uint32_t article = 0;
  std::uint32_t pieces = 0;
  std::uint32_t price = 0;  // of a piece, in cents
  currency in{};
};
using orders = std::vector<order>;

void parse(const std::string& block, orders& out);

struct sale {
  identifier order{};
  std::uint32_t second = 0;
  std::uint32_t store = 0;
  std::uint32_t article = 0;
  std::uint32_t nth = 0;      // of this article
  std::uint64_t takings = 0;  // of the store so far, in cents of a euro
};
using sales = std::vector<sale>;

/// What becomes of an order depends on those before it.
class ledger {
 public:
  void operator()(const orders& in, sales& out);

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> takings_;
  std::unordered_map<std::uint32_t, std::uint32_t> sold_;
};

void format(const sales& in, std::string& out);

// --- load ---------------------------------------------------------------------------------------

class writer {
 public:
  /// \p mode as for `gzopen`.
  writer(const file& out, const char* mode);
  void operator()(const std::string& text);

 private:
  gzip out_;
};

// --- around it ----------------------------------------------------------------------------------

/// A file of that name, or one without a name that goes with the program.
file opened(const char* name, const char* mode);
/// A day's orders, the same each time.
void make_up(const file& out);
/// Of the text of a file, once it is written.
void print_checksum(const file& of);

/// `program [--fast] [orders.csv.gz [sales.csv.gz]]`: runs \p load on a reader and a writer, and
/// says how long it took. Deflates as zlib does unless it is told otherwise; `--fast`: at level 1.
template <class Load>
int program(int argc, char** argv, Load load) try {
  const bool fast = argc > 1 && std::string_view(argv[1]) == "--fast";
  if (fast) --argc, ++argv;
  const file in = opened(argc > 1 ? argv[1] : nullptr, "rb");
  const file out = opened(argc > 2 ? argv[2] : nullptr, "w+b");
  if (argc < 2) make_up(in);
  const auto begin = std::chrono::steady_clock::now();
  {
    reader read(in);
    writer write(out, fast ? "wb1" : "wb");
    load(read, write);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.1f ms, ", took.count());
  print_checksum(out);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace stages
