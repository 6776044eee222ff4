// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <locale>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <stretto/observe/picture_parts.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/text/escaped.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

namespace observe::detail {

/// Draws what `draw_svg` is asked for. All lengths are in the picture's units, text is 12 high.
class drawing {
  using clock = timeline::clock;
  using seconds = timeline::seconds;

 public:
  /// \p zoom: how much wider than on a page.
  drawing(const timeline& record, std::size_t first, std::size_t last, double zoom = 1)
      : width_(1000 * zoom), record_(record), first_(first), last_(last) {
    for (std::size_t t = 0; t < record.threads().size(); ++t)
      add_lane(record.threads()[t], record.spans(t));
    for (std::size_t s = 0; s < record.streams().size(); ++s)
      add_lane(record.streams()[s] + " (device)", record.stream_spans(s));
    std::sort(batches_.begin(), batches_.end());
    batches_.erase(std::unique(batches_.begin(), batches_.end()), batches_.end());
    if (begin_ < end_) total_ = seconds(end_ - begin_).count();
  }

  std::string text(std::string_view title) {
    out_.imbue(std::locale::classic());
    out_ << std::fixed << std::setprecision(2);
    const double caption = title.empty() ? 0 : 26;
    top_ = caption + 36;
    const double bottom = top_ + row * static_cast<double>(lanes_.size());
    out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << left_ + width_ + right
         << ' ' << bottom + 28
         << R"(" class="timeline" font-family="Helvetica, Arial, sans-serif" font-size="12">)"
         << '\n';
    if (!title.empty()) out_ << "<title>" << text::escaped_for_xml(title) << "</title>\n";
    out_ << in_the_dark;
    rect(0, 0, left_ + width_ + right, bottom + 28, paper);
    if (!title.empty()) label(left_, 22, black, title, R"( font-size="15" font-weight="bold")");
    legend(caption + 8);
    for (std::size_t t = 0; t < lanes_.size(); ++t) lane(t);
    axis(bottom);
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  static constexpr double right = 96;  // "100 % source"
  static constexpr double row = 46;
  static constexpr double bar = 38;
  static constexpr double gap = 8;

  /// A colour by light, as an attribute that all readers know, and its class, by which there is
  /// another one in the dark. Batches have one for both.
  struct shade {
    std::string_view fill;
    std::string_view kind{};
  };
  static constexpr shade paper{"#fff", "paper"};
  static constexpr shade black{"#000", "black"};
  static constexpr shade grey{"#555", "grey"};
  static constexpr shade free{"#f0f0f0", "free"};
  /// Of batches outside the range that overlap it.
  static constexpr shade other_batch{"#d4d4d4", "other"};
  static constexpr std::string_view in_the_dark =
      "<style>@media(prefers-color-scheme:dark){.timeline .paper{fill:#161616}"
      ".timeline .black{fill:#e6e6e6}.timeline .grey{fill:#bbb}.timeline .free{fill:#262626}"
      ".timeline .other{fill:#4d4d4d}.timeline [stroke]{stroke:#161616}}</style>\n";

  static double text_width(std::string_view text) {
    return letter_width * static_cast<double>(text::columns(text::shown(text)));
  }

  void add_lane(const std::string& name, std::vector<timeline::span> spans) {
    for (const timeline::span& s : spans) {
      if (!chosen(s)) continue;
      begin_ = (std::min)(begin_, s.begin);
      end_ = (std::max)(end_, s.end);
      batches_.push_back(s.batch);
    }
    left_ = (std::max)(left_, text_width(name) + 2 * gap);
    names_.push_back(name);
    lanes_.push_back(std::move(spans));
  }

  bool chosen(const timeline::span& s) const { return first_ <= s.batch && s.batch <= last_; }

  double x(clock::time_point t) const {
    return left_ + width_ * seconds(t - begin_).count() / total_;
  }

  void add(const shade& s) {
    if (!s.kind.empty()) out_ << R"( class=")" << s.kind << '"';
    out_ << R"( fill=")" << s.fill << '"';
  }

  void rect(double x, double y, double wide, double high, const shade& fill,
            std::string_view more = {}) {
    out_ << R"(<rect x=")" << x << R"(" y=")" << y << R"(" width=")" << wide << R"(" height=")"
         << high << '"';
    add(fill);
    out_ << more << "/>\n";
  }

  void label(double x, double y, const shade& fill, std::string_view text,
             std::string_view more = {}) {
    out_ << R"(<text x=")" << x << R"(" y=")" << y << '"';
    add(fill);
    out_ << more << '>' << text::escaped_for_xml(text) << "</text>\n";
  }

  void legend(double y) {
    double at = left_;
    for (const std::size_t b : batches_) {
      const std::string name = "batch " + std::to_string(b);
      const double next = at + 18 + text_width(name) + 2 * gap;
      if (next > left_ + width_) return label(at, y + 10, black, "and so on");
      rect(at, y, 12, 12, {ink_of(b).fill});
      label(at + 18, y + 10, black, name);
      at = next;
    }
  }

  void lane(std::size_t t) {
    const double y = top_ + row * static_cast<double>(t);
    const double middle = y + bar / 2 + 4;
    seconds busy{}, pulling{};
    std::vector<timeline::span> shown;
    for (const timeline::span& s : lanes_[t]) {
      if (s.end <= begin_ || s.begin >= end_) continue;
      (record_.in_source(s) ? pulling : busy) +=
          (std::min)(s.end, end_) - (std::max)(s.begin, begin_);
      shown.push_back(s);
    }
    rect(left_, y, width_, bar, free);
    label(left_ - gap, middle, black, names_[t], R"( text-anchor="end")");
    const auto share = [&](seconds part) { return std::lround(100 * part.count() / total_); };
    const long in_source = share(pulling);
    label(left_ + width_ + gap, in_source > 0 ? middle - 8 : middle, grey,
          std::to_string(share(busy)) + " % busy");
    if (in_source > 0)
      label(left_ + width_ + gap, middle + 8, grey, std::to_string(in_source) + " % source");
    for (const timeline::span& s : shown) run(s, y, middle);
  }

  void run(const timeline::span& s, double y, double middle) {
    const double from = x((std::max)(s.begin, begin_));
    const double wide = (std::max)(x((std::min)(s.end, end_)) - from, 0.5);
    const std::string task = text::shown(record_.tasks()[s.task]);
    const bool pull = record_.in_source(s);
    out_ << "<g><title>" << text::escaped_for_xml(task) << ", batch " << s.batch << ", "
         << seconds(s.end - s.begin).count() * 1e6 << (pull ? " us in the source" : " us")
         << "</title>";
    rect(from, y, wide, bar, chosen(s) ? shade{ink_of(s.batch).fill} : other_batch,
         std::string(wide > 4 ? R"( stroke="#fff" stroke-width="0.8")" : "") +
             (pull ? R"( fill-opacity="0.3")" : ""));
    if (const std::string said = label_within(task, wide); !said.empty())
      label(from + 4, middle, chosen(s) && !pull ? shade{ink_of(s.batch).text} : grey, said);
    out_ << "</g>\n";
  }

  void axis(double bottom) {
    for (const time_mark& m : time_marks(total_, width_ / 100)) {
      const double at = left_ + width_ * m.seconds / total_;
      rect(at - 0.5, top_, 1, bottom - top_, black, R"( fill-opacity="0.12")");
      label(at, bottom + 14, grey, m.label, R"( text-anchor="middle")");
    }
  }

  double width_;  // of what is on threads
  const timeline& record_;
  std::size_t first_;
  std::size_t last_;
  std::vector<std::string> names_;                  // of threads, and then of streams
  std::vector<std::vector<timeline::span>> lanes_;  // of the same
  std::vector<std::size_t> batches_;
  clock::time_point begin_ = (clock::time_point::max)();
  clock::time_point end_ = (clock::time_point::min)();
  double total_ = 1e-3;  // seconds
  double left_ = 60;
  double top_ = 0;
  std::ostringstream out_;
};

}  // namespace observe::detail

/// Draws part of a timeline as SVG, from the first task on batch \p first to the last on batch
/// \p last: a row per thread, a bar per task, a colour per batch (others that ran meanwhile are
/// grey), and how busy each thread was. It follows the reader's dark mode. Below them
/// is a row for each stream of which it is recorded what the device did there (`cuda::timeline`).
/// What a thread spent in the source, at work or waiting for a batch, is paler and counted apart.
/// Pointing at a bar shows its task, batch and duration. \p zoom: how many times wider time is than
/// on a page, for short tasks. Throws `std::invalid_argument` unless that is more than 0.
inline void draw_svg(std::ostream& out, const timeline& record, std::size_t first, std::size_t last,
                     std::string_view title = {}, double zoom = 1) {
  if (!(zoom > 0)) throw std::invalid_argument("a picture's `zoom` has to be more than 0");
  out << observe::detail::drawing(record, first, last, zoom).text(title);
}

}  // namespace stretto
