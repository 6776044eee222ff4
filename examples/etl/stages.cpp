// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once, so that what the stages do is the same code whoever runs them.
#include "stages.hpp"
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <random>
#include <stdexcept>
#include <string_view>

namespace stages {

namespace {

constexpr int block_size = 1 << 18;

/// From its beginning.
gzip compressed(const file& f, const char* mode) {
  const int descriptor = dup(fileno(f.get()));
  gzip z(gzdopen(descriptor, mode));
  if (!z || lseek(descriptor, 0, SEEK_SET) != 0 || gzbuffer(z.get(), 1U << 17U) != 0)
    throw std::runtime_error("cannot use this file");
  return z;
}

/// Reads the line of an order, field by field.
class line {
 public:
  explicit line(const char*& at) : at_(at) {}

  std::uint32_t number(char behind) {
    std::uint32_t n = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) n = n * 10 + static_cast<std::uint32_t>(*at_ - '0');
    expect(behind);
    return n;
  }
  template <class Text>
  Text text(char behind) {
    Text out{};
    for (char& c : out) {
      c = *at_;
      if (c < '0' || c > 'z') break;
      ++at_;
    }
    expect(behind);
    return out;
  }
  void expect(char c) {
    if (*at_ != c) throw std::runtime_error("this is not the line of an order");
    ++at_;
  }

 private:
  const char*& at_;
};

std::uint64_t per_mille_of_euro(const currency& in) {
  const std::string_view c(in.data(), in.size());
  return c == "EUR" ? 1000 : c == "USD" ? 921 : c == "GBP" ? 1187 : 93;
}

}  // namespace

reader::reader(const file& in) : in_(compressed(in, "rb")) {}

bool reader::operator()(std::string& block) {
  block.swap(rest_);
  rest_.clear();
  const std::size_t begun = block.size();
  block.resize(begun + block_size);
  const int got = gzread(in_.get(), block.data() + begun, block_size);
  if (got < 0) throw std::runtime_error("this is not a gzip file, or a broken one");
  block.resize(begun + static_cast<std::size_t>(got));
  if (got == block_size) {
    const std::size_t end = block.rfind('\n') + 1;
    if (end == 0) throw std::runtime_error("a line is longer than a block");
    rest_.assign(block, end);
    block.resize(end);
  }
  return !block.empty();
}

// `8c7f..d2,09:26:53,42,A918273,3,12.99,EUR,1b5e..04`: identifier, time, store, article, pieces,
// price, currency, customer. All of it is checked, not all of it is kept.
void parse(const std::string& block, orders& out) {
  out.clear();
  for (const char *at = block.data(), *end = at + block.size(); at != end;) {
    line in(at);
    order& o = out.emplace_back();
    o.id = in.text<identifier>(',');
    o.second = in.number(':') * 3600;
    o.second += in.number(':') * 60;
    o.second += in.number(',');
    o.store = in.number(',');
    in.expect('A');
    o.article = in.number(',');
    o.pieces = in.number(',');
    o.price = in.number('.') * 100;
    o.price += in.number(',');
    o.in = in.text<currency>(',');
    in.text<identifier>('\n');
  }
}

void ledger::operator()(const orders& in, sales& out) {
  out.clear();
  for (const order& o : in) {
    if (o.pieces == 0) continue;  // cancelled
    std::uint64_t& takings = takings_[o.store];
    takings += std::uint64_t{o.price} * o.pieces * per_mille_of_euro(o.in) / 1000;
    out.push_back({o.id, o.second, o.store, o.article, ++sold_[o.article], takings});
  }
}

void format(const sales& in, std::string& out) {
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
    put(s.second, ',');
    put(s.store, ',');
    put(s.article, ',');
    put(s.nth, ',');
    put(s.takings, '\n');
  }
  out.resize(static_cast<std::size_t>(at - out.data()));
}

writer::writer(const file& out, const char* mode) : out_(compressed(out, mode)) {}

void writer::operator()(const std::string& text) {
  if (!text.empty() && gzwrite(out_.get(), text.data(), static_cast<unsigned>(text.size())) == 0)
    throw std::runtime_error("cannot write");
}

file opened(const char* name, const char* mode) {
  file f(name != nullptr ? std::fopen(name, mode) : std::tmpfile(), std::fclose);
  if (!f)
    throw std::runtime_error(std::string("cannot open ") + (name != nullptr ? name : "a file"));
  return f;
}

void make_up(const file& out) {
  constexpr std::array currencies{"EUR", "USD", "GBP", "SEK"};
  constexpr unsigned lines = 600'000;
  const gzip z = compressed(out, "wb1");
  std::mt19937 random(7);
  const auto any = [&](std::uint32_t of) { return static_cast<unsigned>(random() % of); };
  const auto put = [&](const char* form, unsigned n) { gzprintf(z.get(), form, n); };
  const auto identify = [&] {
    for (int half = 0; half < 2; ++half) put("%08x", any(0xffffffffU));
  };
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

void print_checksum(const file& of) {
  uLong checksum = crc32(0, nullptr, 0);
  std::size_t lines = 0;
  reader read(of);
  for (std::string block; read(block);) {
    checksum = crc32(checksum, reinterpret_cast<const Bytef*>(block.data()),
                     static_cast<uInt>(block.size()));
    lines += static_cast<std::size_t>(std::count(block.begin(), block.end(), '\n'));
  }
  std::printf("%zu sales, checksum %08lx\n", lines, checksum);
}

}  // namespace stages
