// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once, so that what the stages do is the same code whoever runs them.
#include "service.hpp"
#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <system_error>

namespace service {

void decode(const request& in, query& out) {
  const char* at = in.text.data();
  const char* const end = at + in.text.size();
  const auto number = [&](std::uint32_t& n) {
    while (at != end && (*at < '0' || *at > '9')) ++at;
    const auto [behind, error] = std::from_chars(at, end, n);
    if (error != std::errc()) throw std::runtime_error("this is not a request");
    at = behind;
  };
  number(out.user);
  for (std::uint32_t& item : out.items) number(item);
}

std::vector<row> made_up(std::size_t rows, unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<row> table(rows);
  for (row& r : table)
    for (float& v : r) v = static_cast<float>(random() % 2001) / 1000 - 1;
  return table;
}

void feature_store::operator()(const query& in, features& out) {
  row& user = users_[in.user % users];
  out.user = user;
  out.item = in.items;
  for (std::size_t c = 0; c < candidates; ++c) {
    out.candidate[c] = items_[in.items[c] % items];
    for (std::size_t i = 0; i < width; ++i) user[i] += 0.001F * (out.candidate[c][i] - user[i]);
  }
}

namespace {

row dense(const row& in, const row& bias, const std::vector<row>& weights) {
  row out = bias;
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < width; ++j) out[j] += in[i] * weights[i][j];
  return out;
}
row positive(row in) {
  for (float& v : in) v = std::max(v, 0.0F);
  return in;
}

}  // namespace

void model::operator()(const features& in, ranking& out) const {
  const row of_user = dense(in.user, {}, user_);
  for (std::size_t c = 0; c < candidates; ++c) {
    row hidden = positive(dense(in.candidate[c], of_user, item_));
    for (const std::vector<row>& weights : layers_) hidden = positive(dense(hidden, {}, weights));
    out.best[c] = {std::accumulate(hidden.begin(), hidden.end(), 0.0F), in.item[c]};
  }
  std::partial_sort(out.best.begin(), out.best.begin() + 8, out.best.end(), std::greater<>());
}

void reply(const request& to, const ranking& with) {
  std::string text = "best";
  for (std::size_t c = 0; c < 8; ++c) text += ' ' + std::to_string(with.best[c].second);
  to.reply(text);
}

}  // namespace service
