// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <stretto/collective/channel.hpp>
#include <stretto/collective/error.hpp>
#include <stretto/collective/pause.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace stretto::collective {

/// Ranks that share a file system: each message is a file in a folder of its addressee's, deleted
/// by who reads it. It is written elsewhere and renamed, so that nobody reads half of one. To look
/// for messages takes one look at that folder, however many ranks there are. What an earlier job
/// left does no harm: rank 0 draws a number for this job, and hands it to each rank that asks, by a
/// number that that rank has drawn.
///
/// A folder serves one job at a time.
class file_channel final : public channel {
 public:
  /// Makes the folder if need be and waits until all ranks are there, \p timeout at most. Throws
  /// `missing_rank_error` if not all come, `std::filesystem::filesystem_error` or
  /// `std::runtime_error` if the folder cannot be used.
  file_channel(std::filesystem::path folder, std::size_t rank, std::size_t size,
               std::chrono::milliseconds timeout)
      : folder_(std::move(folder)), rank_(rank), size_(size) {
    sent_.fill(std::vector<std::size_t>(size));
    received_.fill(std::vector<std::size_t>(size));
    std::filesystem::create_directories(folder_);
    const deadline until(timeout);
    if (rank == 0) {
      invite(until);
    } else {
      join(until);
    }
  }

  ~file_channel() override {
    std::error_code not_empty;
    std::filesystem::remove(box_of(rank_), not_empty);
  }
  file_channel(const file_channel&) = delete;
  file_channel& operator=(const file_channel&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

 protected:
  void send(channel_id on, std::size_t to, const message& text) override {
    std::size_t& number = sent_[static_cast<std::size_t>(on)][to];
    const std::filesystem::path box = box_of(to);
    const std::filesystem::path half = half_of_mine();
    fill(half, text);
    std::error_code no_box;
    std::filesystem::rename(half, box / name_of(on, rank_, number), no_box);
    ++number;
    if (!no_box) return;
    if (std::filesystem::exists(box))
      throw std::filesystem::filesystem_error("rename", box, no_box);
    std::filesystem::remove(half);  // the rank is gone, and reads nothing any more
  }
  std::optional<envelope> receive(channel_id on) override {
    std::vector<std::size_t>& next = received_[static_cast<std::size_t>(on)];
    std::optional<std::size_t> from;
    for (const auto& file : std::filesystem::directory_iterator(box_of(rank_))) {
      const std::optional<std::size_t> sender =
          sender_of(file.path().filename().string(), on, next);
      // Nobody's many messages keep another's waiting.
      if (sender && (!from || place_in_turn(*sender) < place_in_turn(*from))) from = sender;
    }
    if (!from) return std::nullopt;
    std::optional<message> text = take(box_of(rank_) / name_of(on, *from, next[*from]));
    if (!text) return std::nullopt;
    ++next[*from];
    turn_ = *from + 1;
    return envelope{*from, std::move(*text)};
  }

 private:
  static std::string drawn() {
    std::random_device device;
    std::ostringstream text;
    text << std::hex << device() << device() << device();
    return text.str();
  }

  /// Rank 0: answers each rank that asks, again if it asks anew, until all have sent a first
  /// message.
  void invite(const deadline& until) {
    session_ = drawn();
    std::filesystem::create_directory(box_of(rank_));
    std::vector<std::size_t> missing;
    for (std::size_t r = 1; r < size_; ++r) missing.push_back(r);
    for (pause idle; !missing.empty(); idle()) {
      for (const std::size_t r : missing)
        if (const std::optional<message> asked = take_request_of(r))
          write(answer_of(r), message(*asked).append(" ").append(session_));
      std::erase_if(missing, [&](std::size_t r) { return take(arrival_of(r)).has_value(); });
      if (!missing.empty() && until.passed()) throw absent(missing, until);
    }
    for (std::size_t r = 1; r < size_; ++r) write(welcome_of(r), {});
  }

  void join(const deadline& until) {
    const std::string mine = drawn();
    write(request_of(rank_), mine);
    for (pause idle; session_.empty(); idle()) {
      if (const std::optional<message> answer = read(answer_of(rank_)))
        if (const std::size_t space = answer->find(' '); answer->substr(0, space) == mine)
          session_ = answer->substr(space + 1);
      if (session_.empty() && until.passed()) throw absent({0}, until);
    }
    std::filesystem::remove(answer_of(rank_));
    std::filesystem::create_directory(box_of(rank_));
    write(arrival_of(rank_), {});
    for (pause idle; !take(welcome_of(rank_)); idle())
      if (until.passed()) throw absent({0}, until);
  }

  static missing_rank_error absent(const std::vector<std::size_t>& ranks, const deadline& until) {
    return {ranks, "come to the folder of the ranks", until.length()};
  }

  std::filesystem::path request_of(std::size_t rank) const { return plain("asks", rank); }
  std::filesystem::path answer_of(std::size_t rank) const { return plain("answer", rank); }
  std::filesystem::path arrival_of(std::size_t rank) const {
    return plain(std::string(session_).append(".there").c_str(), rank);
  }
  std::filesystem::path welcome_of(std::size_t rank) const {
    return plain(std::string(session_).append(".welcome").c_str(), rank);
  }
  std::filesystem::path plain(const char* what, std::size_t rank) const {
    return folder_ / std::string(what).append(".").append(std::to_string(rank));
  }
  /// Where messages to a rank are.
  std::filesystem::path box_of(std::size_t rank) const {
    return plain(std::string(session_).append(".to").c_str(), rank);
  }
  static const char* kind_of(channel_id on) {
    return on == channel_id::notices ? "notice." : "gather.";
  }
  static std::string name_of(channel_id on, std::size_t from, std::size_t number) {
    return std::string(kind_of(on))
        .append(std::to_string(from))
        .append(".")
        .append(std::to_string(number));
  }
  /// Whose next message a file is, if it is anybody's.
  std::optional<std::size_t> sender_of(std::string_view file, channel_id on,
                                       const std::vector<std::size_t>& next) const {
    const std::string_view kind = kind_of(on);
    if (!file.starts_with(kind)) return std::nullopt;
    std::size_t from = size_;
    std::from_chars(file.data() + kind.size(), file.data() + file.size(), from);
    if (from >= size_ || file != name_of(on, from, next[from])) return std::nullopt;
    return from;
  }
  std::size_t place_in_turn(std::size_t rank) const {
    return (rank + size_ - turn_ % size_) % size_;
  }

  std::filesystem::path half_of_mine() const {
    return plain(std::string(session_).append(".half").c_str(), rank_);
  }
  static void fill(const std::filesystem::path& half, const message& text) {
    std::ofstream out(half, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) throw std::runtime_error(std::string(half).append(" cannot be written"));
  }
  void write(const std::filesystem::path& path, const message& text) const {
    const std::filesystem::path half = half_of_mine();
    fill(half, text);
    std::filesystem::rename(half, path);
  }
  static std::optional<message> read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    return message{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  static std::optional<message> take(const std::filesystem::path& path) {
    std::optional<message> found = read(path);
    if (found) std::filesystem::remove(path);
    return found;
  }

  /// A request may take an earlier job's place at any time: by another name it is the one that is
  /// read which goes.
  std::optional<message> take_request_of(std::size_t rank) const {
    const std::filesystem::path mine = plain("asked", rank);
    std::error_code there_is_none;
    std::filesystem::rename(request_of(rank), mine, there_is_none);
    if (there_is_none) return std::nullopt;
    return take(mine);
  }

  std::filesystem::path folder_;
  std::size_t rank_;
  std::size_t size_;
  std::string session_;
  std::array<std::vector<std::size_t>, channel_ids> sent_;      ///< messages to each rank
  std::array<std::vector<std::size_t>, channel_ids> received_;  ///< messages from each rank
  std::size_t turn_ = 0;  ///< the rank whose messages are looked for first
};

}  // namespace stretto::collective
