// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <stretto/dynamic/file/document.hpp>
#include <stretto/dynamic/file/not_json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic::detail {

STRETTO_INLINE text_position document::position_of(std::size_t at) const {
  return shared::position_in(source, at);
}

/// Takes down what nlohmann's parser finds. The parser does not say where; but it has checked what
/// it reports, so that to find each token again takes no more than to skip what is between them.
class document_builder {
 public:
  explicit document_builder(document& into) : doc_(into) {
    if (std::string_view(doc_.source).starts_with("\xEF\xBB\xBF")) next_ = 3;
  }

  bool null() { return room() && word(json_value::kind::null, false); }
  bool boolean(bool value) { return room() && word(json_value::kind::boolean, value); }
  bool number_integer(std::int64_t value) { return number(json_value::kind::whole, value); }
  bool number_unsigned(std::uint64_t value) {
    return value <= static_cast<std::uint64_t>(INT64_MAX)
               ? number(json_value::kind::whole, static_cast<std::int64_t>(value))
               : number(json_value::kind::broken, 0);
  }
  bool number_float(double, const std::string&) { return number(json_value::kind::broken, 0); }
  bool string(std::string& value) {
    if (!room()) return false;
    json_value& v = add(json_value::kind::string);
    v.text_begin = static_cast<std::uint32_t>(doc_.texts.size());
    v.text_size = static_cast<std::uint32_t>(value.size());
    doc_.texts += value;
    while (doc_.source[next_] != '"') next_ += doc_.source[next_] == '\\' ? 2U : 1U;
    ++next_;
    return true;
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // not in JSON
  bool start_object(std::size_t) { return open(json_value::kind::object); }
  bool start_array(std::size_t) { return open(json_value::kind::list); }
  bool key(std::string& name) { return string(name); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const std::exception& error) {
    doc_.problems.push_back(shared::not_json(doc_.source, position, error.what()));
    return false;
  }

 private:
  /// Whether the document has room for one more value; complains if it has none.
  bool room() {
    if (doc_.values.size() < document::most_values) return true;
    doc_.problems.push_back({doc_.position_of(next_),
                             {},
                             std::string("more than ") + std::to_string(document::most_values) +
                                 " values, which no schedule has"});
    return false;
  }
  json_value& add(json_value::kind what) {
    next_ = doc_.source.find_first_not_of(" \t\r\n,:", next_);
    json_value v;
    v.what = what;
    v.at = static_cast<std::uint32_t>(next_++);
    v.after = static_cast<std::uint32_t>(doc_.values.size() + 1);
    return doc_.values.emplace_back(v);
  }
  bool skip(std::string_view characters) {
    next_ = (std::min)(doc_.source.find_first_not_of(characters, next_), doc_.source.size());
    return true;
  }
  bool word(json_value::kind what, bool value) {
    add(what).flag = value;
    return skip("abcdefghijklmnopqrstuvwxyz");
  }
  bool number(json_value::kind what, std::int64_t value) {
    if (!room()) return false;
    add(what).number = value;
    return skip("0123456789+-.eE");
  }
  bool open(json_value::kind what) {
    if (!room()) return false;
    const std::size_t at = add(what).at;
    open_.push_back(doc_.values.size() - 1);
    if (open_.size() <= document::most_levels) return true;
    doc_.problems.push_back({doc_.position_of(at),
                             {},
                             std::string("nested more than ") +
                                 std::to_string(document::most_levels) +
                                 " levels deep, which no schedule is"});
    return false;
  }
  bool close() {
    next_ = doc_.source.find_first_of("]}", next_) + 1;
    doc_.values[open_.back()].after = static_cast<std::uint32_t>(doc_.values.size());
    open_.pop_back();
    return true;
  }

  document& doc_;
  std::size_t next_ = 0;  ///< behind the last token
  std::vector<std::size_t> open_;
};

STRETTO_INLINE void parse(document& doc) {
  if (doc.source.size() > document::most_bytes) {
    doc.problems.push_back({{}, {}, shared::longer_than(document::most_bytes)});
  } else if (const std::size_t zero = doc.source.find('\0'); zero != std::string::npos) {
    // To nlohmann's parser it is the end of the text.
    doc.problems.push_back({doc.position_of(zero), {}, "not JSON: a zero byte"});
  } else {
    document_builder builder(doc);
    nlohmann::json::sax_parse(doc.source, &builder);
  }
}

}  // namespace stretto::dynamic::detail
