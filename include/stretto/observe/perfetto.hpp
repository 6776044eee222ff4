// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <span>
#include <stretto/observe/recorded_counter.hpp>
#include <stretto/observe/recorded_wait.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto {

namespace observe::detail {

/// A message of Protocol Buffers, as far as traces need them: numbers, texts, other messages.
/// https://protobuf.dev/programming-guides/encoding
class message {
 public:
  message& number(std::uint32_t field, std::uint64_t value) {
    return varint(field << 3U | 0U).varint(value);
  }
  message& fixed(std::uint32_t field, std::uint64_t value) {
    varint(field << 3U | 1U);
    for (unsigned byte = 0; byte < 8; ++byte)
      bytes_ += static_cast<char>(static_cast<unsigned char>(value >> (8 * byte)));
    return *this;
  }
  message& text(std::uint32_t field, std::string_view value) {
    varint(field << 3U | 2U).varint(value.size());
    bytes_ += value;
    return *this;
  }
  message& inside(std::uint32_t field, const message& value) { return text(field, value.bytes_); }

  /// Further fields.
  message& append(const message& more) {
    bytes_ += more.bytes_;
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  message& varint(std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
    bytes_ += static_cast<char>(value);
    return *this;
  }

  std::string bytes_;
};

/// Writes what `write_perfetto` is asked for. Numbers of fields are those of the messages in
/// https://github.com/google/perfetto/tree/main/protos/perfetto/trace, which are named at each.
class perfetto_trace {
 public:
  /// A track, below another one.
  std::uint64_t track(std::string_view name, std::uint64_t parent = 0) {
    return add_track(name, parent, nullptr);
  }
  std::uint64_t counter_track(std::string_view name, std::string_view unit, std::uint64_t parent) {
    message counter;  // CounterDescriptor
    counter.number(3, unit_count).text(6, unit);
    return add_track(name, parent, &counter);
  }

  /// The begin of a slice. \p more has further fields of its event.
  void begin(std::uint64_t track, timeline::clock::time_point at, std::string_view name,
             std::string_view category, const message& more) {
    message event = of_type(slice_begin, track);
    event.text(22, category).text(23, text::shown(name));
    add(at, true, event, more);
  }
  /// \p empty: of a slice that takes no time.
  void end(std::uint64_t track, timeline::clock::time_point at, bool empty) {
    add(at, empty, of_type(slice_end, track), {});
  }
  void value(std::uint64_t track, timeline::clock::time_point at, int value) {
    message event = of_type(counter_value, track);
    event.number(30, static_cast<std::uint64_t>(std::int64_t{value}));
    add(at, true, event, {});
  }

  static void annotate(message& event, std::string_view name, std::uint64_t value) {
    event.inside(4, message().text(10, name).number(3, value));  // DebugAnnotation
  }
  static void annotate(message& event, std::string_view name, std::string_view value) {
    event.inside(4, message().text(10, name).text(6, text::shown(value)));
  }

  void write(std::ostream& out) {
    for (const message& t : tracks_) write_packet(out, t);
    // Where one slice ends another begins, on a track in the order in which they were added.
    std::sort(events_.begin(), events_.end(), [](const timed& a, const timed& b) {
      return std::tie(a.at, a.after_ends, a.number) < std::tie(b.at, b.after_ends, b.number);
    });
    for (const timed& e : events_) write_packet(out, e.packet);
  }

 private:
  // TrackEvent::Type
  static constexpr std::uint64_t slice_begin = 1, slice_end = 2, counter_value = 4;
  static constexpr std::uint64_t unit_count = 2;      // CounterDescriptor::Unit
  static constexpr std::uint64_t in_given_order = 3;  // TrackDescriptor::ChildTracksOrdering

  struct timed {
    std::uint64_t at = 0;
    bool after_ends = false;
    std::size_t number = 0;  // of those added
    message packet;
  };

  static message of_type(std::uint64_t type, std::uint64_t track) {
    return std::move(message().number(9, type).number(11, track));  // TrackEvent
  }
  std::uint64_t add_track(std::string_view name, std::uint64_t parent, const message* counter) {
    const std::uint64_t id = tracks_.size() + 1;
    message track;  // TrackDescriptor
    track.number(1, id).text(2, text::shown(name));
    if (parent != 0) track.number(5, parent);
    if (counter != nullptr) track.inside(8, *counter);
    track.number(11, in_given_order).number(12, id);
    tracks_.push_back(std::move(message().inside(60, track)));  // TracePacket
    return id;
  }
  void add(timeline::clock::time_point at, bool after_ends, message event, const message& more) {
    const auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch());
    const auto timestamp = static_cast<std::uint64_t>(time.count());
    event.append(more);
    events_.push_back({timestamp, after_ends, events_.size(),
                       std::move(message().number(8, timestamp).inside(11, event))});
  }
  static void write_packet(std::ostream& out, message packet) {
    packet.number(10, 1);  // trusted_packet_sequence_id: events without one are not read
    out << message().inside(1, packet).bytes();  // Trace
  }

  std::vector<message> tracks_;
  std::vector<timed> events_;
};

}  // namespace observe::detail

/// Writes a timeline in Perfetto's own format, protocol buffers, which https://ui.perfetto.dev and
/// its trace processor open: what `write_trace` writes, and rows of threads, of streams and of
/// counters as trees that fold; times in nanoseconds, counters with their units. \p waits are what
/// `waits_of` finds, \p counters what `queues_of` does. \p out has to be binary.
inline void write_perfetto(std::ostream& out, const timeline& record,
                           std::span<const recorded_wait> waits = {},
                           std::span<const recorded_counter> counters = {}) {
  using observe::detail::message;
  using observe::detail::perfetto_trace;
  perfetto_trace trace;
  struct flows {
    std::vector<std::size_t> out, in;  // numbers of waits
  };
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, flows> of;  // by thread, task, batch
  for (std::size_t w = 0; w < waits.size(); ++w) {
    const auto key = [](std::size_t thread, const timeline::span& s) {
      return std::tuple(thread, s.task, s.batch);
    };
    of[key(waits[w].awaited_thread, waits[w].awaited)].out.push_back(w);
    of[key(waits[w].waiting_thread, waits[w].waiting)].in.push_back(w);
  }
  const auto slices = [&](std::uint64_t track, const std::vector<timeline::span>& spans,
                          const std::size_t* thread) {
    for (const timeline::span& s : spans) {
      message more;
      perfetto_trace::annotate(more, "batch", s.batch);
      if (s.stretch != 0) perfetto_trace::annotate(more, "stretch", std::uint64_t{s.stretch});
      if (thread != nullptr)
        if (const auto found = of.find({*thread, s.task, s.batch}); found != of.end()) {
          for (const std::size_t w : found->second.out) more.fixed(47, w + 1);
          for (const std::size_t w : found->second.in) {
            more.fixed(48, w + 1);
            perfetto_trace::annotate(more, "waited for", waits[w].why);
          }
        }
      trace.begin(track, s.begin, record.tasks()[s.task], record.in_source(s) ? "source" : "task",
                  more);
      trace.end(track, s.end, s.begin == s.end);
    }
  };
  const std::uint64_t threads = trace.track("threads");
  for (std::size_t t = 0; t < record.threads().size(); ++t)
    slices(trace.track(record.threads()[t], threads), record.spans(t), &t);
  if (!record.streams().empty()) {
    const std::uint64_t streams = trace.track("streams of the device");
    for (std::size_t s = 0; s < record.streams().size(); ++s)
      slices(trace.track(record.streams()[s], streams), record.stream_spans(s), nullptr);
  }
  const std::uint64_t counts = trace.track("counters");
  const auto count = [&](std::span<const recorded_counter> all) {
    for (const recorded_counter& c : all) {
      const std::uint64_t track = trace.counter_track(c.name, c.unit, counts);
      for (const recorded_counter::change& now : c.changes) trace.value(track, now.at, now.value);
    }
  };
  count(observe::counters_of(record));
  count(counters);
  trace.write(out);
}

}  // namespace stretto
