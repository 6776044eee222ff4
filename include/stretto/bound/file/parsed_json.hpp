// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <stretto/bound/file/file_text.hpp>
#include <stretto/dynamic/file/not_json.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <stretto/text/utf8.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::bound::detail {

/// Takes down what nlohmann's parser finds: each value once, as that parser's own callbacks look
/// through a whole list at the end of each object in it. Values of the list in field \p list of the
/// outermost object are handed to \p Each when they are there, and not kept: a trace has millions.
template <class Each>
class json_builder {
 public:
  json_builder(std::string_view text, std::string_view name, std::string_view list, Each each)
      : text_(text), name_(name), list_name_(list), each_(std::move(each)) {}

  nlohmann::json&& value() { return std::move(value_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) { return false; }  // not in JSON
  bool start_object(std::size_t) { return open(nlohmann::json::object()); }
  bool start_array(std::size_t) {
    const bool in_root = open_.size() == 1 && value_.is_object();
    open(nlohmann::json::array());
    if (in_root && key_ == list_name_) list_ = open_.back();
    return true;
  }
  bool key(std::string& key) {
    const auto [at, first] =
        open_.back()->template get_ref<nlohmann::json::object_t&>().emplace(key, nullptr);
    if (!first) refuse(name_, "field \"" + text::visible(key) + "\" appears twice");
    member_ = &at->second;
    if (open_.size() == 1) key_ = key;
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const std::exception& error) {
    throw dynamic::file_error(name_, {dynamic::shared::not_json(text_, position, error.what())});
  }

 private:
  nlohmann::json* put(nlohmann::json value) {
    if (open_.empty()) {
      value_ = std::move(value);
      return &value_;
    }
    if (open_.back()->is_object()) {
      *member_ = std::move(value);
      return member_;
    }
    open_.back()->push_back(std::move(value));
    return &open_.back()->back();
  }
  bool open(nlohmann::json value) {
    open_.push_back(put(std::move(value)));
    return true;
  }
  bool add(nlohmann::json value) {
    put(std::move(value));
    return ended();
  }
  bool close() {
    open_.pop_back();
    return ended();
  }
  /// Hands on what is in the list now.
  bool ended() {
    if (list_ == nullptr || open_.empty() || open_.back() != list_) return true;
    each_(list_->back());
    list_->clear();
    return true;
  }

  std::string_view text_;
  std::string_view name_;
  std::string_view list_name_;
  Each each_;
  nlohmann::json value_;
  std::vector<nlohmann::json*> open_;  ///< none of them moves: only the innermost one grows
  nlohmann::json* member_ = nullptr;   ///< the one whose key was the last
  std::string key_;                    ///< of the outermost object
  nlohmann::json* list_ = nullptr;
};

/// JSON, without the values of one list, which \p each is handed in turn. Throws
/// `dynamic::file_error` if the text of the file \p name is none, or an object has a field twice,
/// of which a parser keeps one, in silence.
template <class Each>
nlohmann::json parsed_json(std::string_view text, std::string_view name, std::string_view list,
                           Each each) {
  if (const std::size_t zero = text.find('\0');
      zero != std::string_view::npos)  // ends what it reads
    throw dynamic::file_error(
        name, {{dynamic::shared::position_in(text, zero), {}, "not JSON: a zero byte"}});
  json_builder<Each> builder(text, name, list, std::move(each));
  nlohmann::json::sax_parse(text, &builder);
  return builder.value();
}
inline nlohmann::json parsed_json(std::string_view text, std::string_view name) {
  return parsed_json(text, name, {}, [](const nlohmann::json&) {});
}

/// Hands each event of a trace to \p each, with its number. Throws `dynamic::file_error` if the
/// text of the file \p name is no trace.
template <class Each>
void each_event(std::string_view text, std::string_view name, Each each) {
  std::size_t number = 0;
  const nlohmann::json trace =
      parsed_json(text, name, "traceEvents", [&](const nlohmann::json& e) { each(e, number++); });
  const auto events = trace.is_object() ? trace.find("traceEvents") : trace.end();
  if (!trace.is_object() || events == trace.end() || !events->is_array())
    refuse(name, "this is no trace: it has no list \"traceEvents\"");
}

/// A value as messages show it; whatever nests in it stays out.
inline std::string shown_json(const nlohmann::json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  constexpr std::size_t most_bytes = 40;
  const std::string all = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text::visible(text::beginning(all, most_bytes)) + (all.size() <= most_bytes ? "" : "...");
}

}  // namespace stretto::bound::detail
