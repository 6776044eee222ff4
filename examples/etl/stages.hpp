// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the stages do, whoever runs them: orders come in from a gzip file, and go out to another
// with their value in euros and the takings of their store so far. Nothing here knows a library for
// pipelines.
#pragma once

#include <unistd.h>
#include <zlib.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stages {

// --- gzip files ---------------------------------------------------------------------------------

struct closes {
  void operator()(gzFile file) const { gzclose(file); }
};
using gzip = std::unique_ptr<gzFile_s, closes>;
using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A file of that name, or one without a name that goes with the program.
inline file opened(const char* name, const char* mode) {
  file f(name != nullptr ? std::fopen(name, mode) : std::tmpfile(), std::fclose);
  if (!f)
    throw std::runtime_error(std::string("cannot open ") + (name != nullptr ? name : "a file"));
  return f;
}
/// From its beginning.
inline gzip compressed(const file& f, const char* mode) {
  std::rewind(f.get());
  gzip z(gzdopen(dup(fileno(f.get())), mode));
  if (!z || gzbuffer(z.get(), 1U << 17U) != 0) throw std::runtime_error("out of memory");
  return z;
}

// --- extract ------------------------------------------------------------------------------------

/// Hands out the text in blocks of whole lines.
class reader {
 public:
  explicit reader(const file& in) : in_(compressed(in, "rb")) {}

  bool operator()(std::string& block) {
    block.swap(rest_);
    rest_.clear();
    const std::size_t begun = block.size();
    block.resize(begun + block_size);
    const int got = gzread(in_.get(), block.data() + begun, block_size);
    if (got < 0) throw std::runtime_error("this is not a gzip file, or a broken one");
    block.resize(begun + static_cast<std::size_t>(got));
    if (const std::size_t end = block.rfind('\n') + 1; got == block_size) {
      if (end == 0) throw std::runtime_error("a line is longer than a block");
      rest_.assign(block, end);
      block.resize(end);
    }
    return !block.empty();
  }

 private:
  static constexpr int block_size = 1 << 18;
  gzip in_;
  std::string rest_;  // of a line
};

// --- transform ----------------------------------------------------------------------------------

using identifier = std::array<char, 16>;

struct order {
  identifier id{};
  std::uint32_t second = 0;  // of the day
  std::uint32_t store = 0;
  std::uint32_t article = 0;
  std::uint32_t pieces = 0;
  std::uint32_t price = 0;  // of a piece, in cents of its currency
  std::array<char, 3> currency{};
};
using orders = std::vector<order>;

inline std::uint32_t number(const char*& at, char behind) {
  std::uint32_t n = 0;
  for (; *at >= '0' && *at <= '9'; ++at) n = n * 10 + static_cast<std::uint32_t>(*at - '0');
  if (*at++ != behind) throw std::runtime_error("this is not a line of an order");
  return n;
}

/// As it was written, in hexadecimal.
inline identifier hexadecimal(const char*& at, char behind) {
  identifier id{};
  for (char& c : id) {
    c = *at;
    if ((*at < '0' || *at > '9') && (*at < 'a' || *at > 'f')) break;
    ++at;
  }
  if (*at++ != behind) throw std::runtime_error("this is not an identifier");
  return id;
}

inline std::array<char, 3> currency(const char*& at, char behind) {
  std::array<char, 3> code{};
  for (char& c : code) {
    c = *at;
    if (c < 'A' || c > 'Z') break;
    ++at;
  }
  if (*at++ != behind) throw std::runtime_error("this is not a currency");
  return code;
}

/// `8c7f..d2,09:26:53,42,A918273,3,12.99,EUR,1b5e..04`: identifier, time, store, article, pieces,
/// price, currency, customer; all of it is checked, not all of it is kept.
inline void parse(const std::string& block, orders& out) {
  out.clear();
  for (const char *at = block.data(), *end = at + block.size(); at != end;) {
    order& o = out.emplace_back();
    o.id = hexadecimal(at, ',');
    o.second = number(at, ':') * 3600;
    o.second += number(at, ':') * 60;
    o.second += number(at, ',');
    o.store = number(at, ',');
    if (*at++ != 'A') throw std::runtime_error("this is not an article");
    o.article = number(at, ',');
    o.pieces = number(at, ',');
    o.price = number(at, '.') * 100;
    o.price += number(at, ',');
    o.currency = currency(at, ',');
    hexadecimal(at, '\n');
  }
}

struct sale {
  identifier order{};
  std::uint32_t second = 0;
  std::uint32_t store = 0;
  std::uint32_t article = 0;
  std::uint32_t nth = 0;      // sale of this article
  std::uint64_t cents = 0;    // euros
  std::uint64_t takings = 0;  // of the store so far
};
using sales = std::vector<sale>;

/// What becomes of orders depends on those before them.
class ledger {
 public:
  void operator()(const orders& in, sales& out) {
    out.clear();
    for (const order& o : in) {
      if (o.pieces == 0) continue;  // cancelled
      const std::uint64_t cents = std::uint64_t{o.price} * o.pieces * rate(o.currency) / 1000;
      std::uint64_t& takings = takings_[o.store];
      out.push_back(
          {o.id, o.second, o.store, o.article, ++sold_[o.article], cents, takings += cents});
    }
  }

 private:
  static std::uint64_t rate(const std::array<char, 3>& currency) {
    const std::string_view c(currency.data(), currency.size());
    return c == "EUR" ? 1000 : c == "USD" ? 921 : c == "GBP" ? 1187 : 93;
  }
  std::unordered_map<std::uint32_t, std::uint64_t> takings_;
  std::unordered_map<std::uint32_t, std::uint32_t> sold_;
};

inline void format(const sales& in, std::string& out) {
  constexpr std::size_t longest_line = 90;
  out.resize(in.size() * longest_line);
  char* at = out.data();
  const auto put = [&](std::uint64_t n, char behind) {
    at = std::to_chars(at, at + 20, n).ptr;
    *at++ = behind;
  };
  for (const sale& s : in) {
    at = std::copy(s.order.begin(), s.order.end(), at);
    *at++ = ',';
    put(s.store, ',');
    put(s.second, ',');
    put(s.article, ',');
    put(s.nth, ',');
    put(s.takings, '\n');
  }
  out.resize(static_cast<std::size_t>(at - out.data()));
}

// --- load ---------------------------------------------------------------------------------------

class writer {
 public:
  explicit writer(const file& out) : out_(compressed(out, "wb1")) {}
  void operator()(const std::string& text) {
    if (!text.empty() && gzwrite(out_.get(), text.data(), static_cast<unsigned>(text.size())) == 0)
      throw std::runtime_error("cannot write");
  }

 private:
  gzip out_;
};

// --- around it ----------------------------------------------------------------------------------

/// A day's orders, the same each time.
inline void make_up(const file& out) {
  constexpr std::array currencies{"EUR", "USD", "GBP", "SEK"};
  const gzip z = compressed(out, "wb1");
  std::mt19937 random(7);
  const auto any = [&](std::uint32_t of) { return static_cast<unsigned>(random() % of); };
  const auto put = [&](const char* form, unsigned n) { gzprintf(z.get(), form, n); };
  const auto identify = [&] {
    for (int half = 0; half < 2; ++half) put("%08x", any(0xffffffffU));
  };
  constexpr unsigned lines = 1'000'000;
  for (unsigned n = 0; n < lines; ++n) {
    const auto second = static_cast<unsigned>(std::uint64_t{n} * 86'400U / lines);
    identify();
    put(",%02u", second / 3600);
    put(":%02u", second / 60 % 60);
    put(":%02u", second % 60);
    put(",%u", any(500));
    put(",A%06u", any(300'000));
    put(",%u", any(6));
    put(",%u", any(200));
    put(".%02u,", any(100));
    gzputs(z.get(), currencies[any(4)]);
    gzputc(z.get(), ',');
    identify();
    gzputc(z.get(), '\n');
  }
}

/// `program [orders.csv.gz [sales.csv.gz]]`: runs \p load on a reader and a writer, says how long
/// it took, and a checksum of what can be read again.
template <class Load>
int program(int argc, char** argv, Load load) try {
  const file in = opened(argc > 1 ? argv[1] : nullptr, "rb");
  const file out = opened(argc > 2 ? argv[2] : nullptr, "w+b");
  if (argc < 2) make_up(in);
  const auto begin = std::chrono::steady_clock::now();
  {
    reader read(in);
    writer write(out);
    load(read, write);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;

  uLong checksum = crc32(0, nullptr, 0);
  std::size_t lines = 0;
  reader again(out);
  for (std::string block; again(block);) {
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(block.data()),
                     static_cast<uInt>(block.size()));
    for (const char c : block) lines += c == '\n' ? 1 : 0;
  }
  std::printf("%zu sales, checksum %08lx\n%.1f ms\n", lines, checksum, took.count());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace stages
