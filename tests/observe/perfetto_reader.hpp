// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Reads traces of Perfetto strictly: what is not in the part of the schema below, or not in this
/// wire type, is an error. By https://github.com/google/perfetto/tree/main/protos/perfetto/trace:
/// trace.proto, trace_packet.proto, and of track_event: track_descriptor.proto,
/// counter_descriptor.proto, track_event.proto, debug_annotation.proto.
namespace perfetto_reader {

enum class kind { number, fixed, text, message };
struct field {
  kind of;
  std::string_view name;
  std::string_view inside{};  ///< which message it holds
};

inline const std::map<std::string_view, std::map<std::uint64_t, field>>& schema() {
  static const std::map<std::string_view, std::map<std::uint64_t, field>> all{
      {"Trace", {{1, {kind::message, "packet", "TracePacket"}}}},
      {"TracePacket",
       {{8, {kind::number, "timestamp"}},
        {10, {kind::number, "trusted_packet_sequence_id"}},
        {11, {kind::message, "track_event", "TrackEvent"}},
        {60, {kind::message, "track_descriptor", "TrackDescriptor"}}}},
      {"TrackDescriptor",
       {{1, {kind::number, "uuid"}},
        {2, {kind::text, "name"}},
        {5, {kind::number, "parent_uuid"}},
        {8, {kind::message, "counter", "CounterDescriptor"}},
        {11, {kind::number, "child_ordering"}},
        {12, {kind::number, "sibling_order_rank"}}}},
      {"CounterDescriptor", {{3, {kind::number, "unit"}}, {6, {kind::text, "unit_name"}}}},
      {"TrackEvent",
       {{4, {kind::message, "debug_annotations", "DebugAnnotation"}},
        {9, {kind::number, "type"}},
        {11, {kind::number, "track_uuid"}},
        {22, {kind::text, "categories"}},
        {23, {kind::text, "name"}},
        {30, {kind::number, "counter_value"}},
        {47, {kind::fixed, "flow_ids"}},
        {48, {kind::fixed, "terminating_flow_ids"}}}},
      {"DebugAnnotation",
       {{3, {kind::number, "uint_value"}},
        {6, {kind::text, "string_value"}},
        {10, {kind::text, "name"}}}}};
  return all;
}

struct message {
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> numbers;
  std::map<std::string, std::vector<std::string>, std::less<>> texts;
  std::map<std::string, std::vector<message>, std::less<>> messages;

  bool has(std::string_view name) const {
    return numbers.contains(name) || texts.contains(name) || messages.contains(name);
  }
  /// Of a field that is there once.
  template <class Values>
  static const auto& only(const Values& values, std::string_view name) {
    const auto found = values.find(name);
    if (found == values.end() || found->second.size() != 1)
      throw std::runtime_error(std::string(name) + " is not there once");
    return found->second.front();
  }
  std::uint64_t number(std::string_view name) const { return only(numbers, name); }
  const std::string& text(std::string_view name) const { return only(texts, name); }
  const message& inside(std::string_view name) const { return only(messages, name); }
};

class reader {
 public:
  explicit reader(std::string_view bytes) : rest_(bytes) {}

  message read(std::string_view type) {
    const std::map<std::uint64_t, field>& known = schema().at(type);
    message m;
    while (!rest_.empty()) {
      const std::uint64_t tag = varint();
      const auto found = known.find(tag >> 3U);
      if (found == known.end())
        throw std::runtime_error(std::string(type) + " has no field " + std::to_string(tag >> 3U));
      const field& f = found->second;
      const std::uint64_t wire = f.of == kind::number ? 0 : f.of == kind::fixed ? 1 : 2;
      if ((tag & 7U) != wire)
        throw std::runtime_error(std::string(f.name) + " is of another wire type");
      const std::string name(f.name);
      if (f.of == kind::number) {
        m.numbers[name].push_back(varint());
      } else if (f.of == kind::fixed) {
        std::uint64_t value = 0;
        const std::string_view bytes = take(8);
        for (std::size_t i = 8; i-- > 0;)
          value = value << 8U | static_cast<unsigned char>(bytes[i]);
        m.numbers[name].push_back(value);
      } else {
        const std::string_view bytes = take(varint());
        if (f.of == kind::text) {
          m.texts[name].emplace_back(bytes);
        } else {
          m.messages[name].push_back(reader(bytes).read(f.inside));
        }
      }
    }
    return m;
  }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw std::runtime_error("a trace that ends in the middle");
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) return value;
    }
    throw std::runtime_error("a number of more than 64 bits");
  }

  std::string_view rest_;
};

inline message read(std::string_view bytes) { return reader(bytes).read("Trace"); }

}  // namespace perfetto_reader
