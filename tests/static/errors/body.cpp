// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which bodies are taken for what they are: those that write a slot, those whose writes are lost,
// and those that read a number as a narrower one.

#include <doctest/doctest.h>
#include <any>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stretto/declare/slot.hpp>
#include <stretto/static/errors/body.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace st = stretto;

namespace {

template <class T>
struct input : st::slot<T> {};
template <class T>
struct output : st::slot<T> {};

template <class In, class Out, class Body>
struct task_of : Body {
  using reads = st::reads<input<In>>;
  using writes = st::writes<output<Out>>;
  using Body::operator();
};

enum class verdict { not_callable, read_is_narrowed, write_is_lost, fine };

template <class Task>
constexpr verdict judged() {
  using body = st::typed::body<Task>;
  if (!body::ok) return verdict::not_callable;
  const std::size_t place = body::lossy();
  return place == body::slot_list::size ? verdict::fine
         : place < body::reads::size    ? verdict::read_is_narrowed
                                        : verdict::write_is_lost;
}
template <class In, class Out, class Body>
constexpr verdict judge(Body) {
  return judged<task_of<In, Out, Body>>();
}

using text = std::string;
using floats = std::vector<float>;
struct base {
  int x = 0;
};
struct derived : base {};
/// Gives access by conversion, and constant access if it is const itself.
struct buffer {
  operator float*() { return first; }
  operator const float*() const { return first; }
  float* first = nullptr;
};
struct move_only {
  move_only() = default;
  move_only(move_only&&) = default;
  move_only& operator=(move_only&&) = default;
};
struct meters {
  meters(float) {}
};
enum colour : int { red };
enum class shade { dark };

TEST_CASE("a body that gets at the slot that it writes") {
  CHECK(judge<int, float>([](int, float&) {}) == verdict::fine);
  CHECK(judge<int, float>([](auto, auto& out) { out = 1; }) == verdict::fine);
  CHECK(judge<int, float>([](const auto&, auto&& out) { out = 1; }) == verdict::fine);
  CHECK(judge<int, float>([](auto&, std::floating_point auto& out) { out = 1; }) == verdict::fine);
  CHECK(judge<int, float>([]<class T>(int, T&& out) requires(
            std::is_same_v<std::remove_cvref_t<T>, float>) { out = 2; }) == verdict::fine);
  CHECK(judge<int, float>([](auto&&... all) { (static_cast<void>(all), ...); }) == verdict::fine);
  CHECK(judge<int, text>([](auto, text& out) { out.clear(); }) == verdict::fine);
  CHECK(judge<int, floats>([](auto, auto&& out) { out.resize(3); }) == verdict::fine);
  CHECK(judge<int, floats>([]<class T>(auto, std::vector<T>& out) { out.resize(3); }) ==
        verdict::fine);
  CHECK(judge<int, derived>([](auto, base&) {}) == verdict::fine);
  CHECK(judge<int, move_only>([](auto, auto&& out) { out = move_only(); }) == verdict::fine);
  CHECK(judge<int, float*>([](int, float*&) {}) == verdict::fine);
  CHECK(judge<int, std::any>([](auto, std::any&) {}) == verdict::fine);
  CHECK(judge<int, std::any>([](auto, auto&&) {}) == verdict::fine);
}

TEST_CASE("a body that gets at it through what only a slot that may be changed converts to") {
  CHECK(judge<int, floats>([](auto, std::span<float>) {}) == verdict::fine);
  CHECK(judge<int, floats>([](auto, std::reference_wrapper<floats>) {}) == verdict::fine);
  CHECK(judge<int, buffer>([](int, float*) {}) == verdict::fine);
  CHECK(judge<int, buffer>([](auto, float*) {}) == verdict::fine);
}

TEST_CASE("a body whose writes are lost") {
  CHECK(judge<int, float>([](int, float) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](int, const float&) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](int, double) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](int, const double&) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](int, double&&) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](auto, auto) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](auto, const auto&) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](auto, std::floating_point auto) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](auto...) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](const auto&...) {}) == verdict::write_is_lost);
  CHECK(judge<int, text>([](auto, text) {}) == verdict::write_is_lost);
  CHECK(judge<int, text>([](auto, const text&) {}) == verdict::write_is_lost);
  CHECK(judge<int, text>([](auto, std::string_view) {}) == verdict::write_is_lost);
  CHECK(judge<int, floats>([](auto, std::span<const float>) {}) == verdict::write_is_lost);
  CHECK(judge<int, floats>([]<class T>(auto, std::vector<T>) {}) == verdict::write_is_lost);
  CHECK(judge<int, floats>([]<class T>(auto, const std::vector<T>&) {}) == verdict::write_is_lost);
  CHECK(judge<int, derived>([](auto, base) {}) == verdict::write_is_lost);
  CHECK(judge<int, buffer>([](auto, const float*) {}) == verdict::write_is_lost);
  CHECK(judge<int, move_only>([](auto, const move_only&) {}) == verdict::write_is_lost);
  CHECK(judge<int, move_only>([](auto, const auto&) {}) == verdict::write_is_lost);
  CHECK(judge<int, float*>([](int, float*) {}) == verdict::write_is_lost);
  CHECK(judge<int, std::shared_ptr<int>>([](int, std::shared_ptr<int>) {}) ==
        verdict::write_is_lost);
  CHECK(judge<int, std::any>([](auto, std::any) {}) == verdict::write_is_lost);
  CHECK(judge<int, std::optional<int>>([](auto, auto) {}) == verdict::write_is_lost);
  CHECK(judge<int, std::vector<std::any>>([](auto, std::vector<std::any>) {}) ==
        verdict::write_is_lost);
}

TEST_CASE("with a context in front") {
  CHECK(judge<int, float>([](st::context auto&, int, float&) {}) == verdict::fine);
  CHECK(judge<int, float>([](st::context auto&, long, float&) {}) == verdict::fine);
  CHECK(judge<int, float>([](st::context auto&, auto, auto&&) {}) == verdict::fine);
  CHECK(judge<int, float>([](st::task_context, int, float&) {}) == verdict::fine);
  CHECK(judge<int, float>([](st::context auto&, int, float) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](st::context auto&, auto, auto) {}) == verdict::write_is_lost);
  CHECK(judge<int, float>([](const st::task_context&, int, float) {}) == verdict::write_is_lost);
  CHECK(judge<double, float>([](st::context auto&, int, float&) {}) == verdict::read_is_narrowed);
}

TEST_CASE("a read may convert, but not to a number that cannot hold it") {
  CHECK(judge<text, float>([](std::string_view, float&) {}) == verdict::fine);
  CHECK(judge<text, float>([](text, float&) {}) == verdict::fine);
  CHECK(judge<floats, float>([](std::span<const float>, float&) {}) == verdict::fine);
  CHECK(judge<derived, float>([](const base&, float&) {}) == verdict::fine);
  CHECK(judge<int, float>([](std::optional<int>, float&) {}) == verdict::fine);
  CHECK(judge<int, float>([](long, float&) {}) == verdict::fine);
  CHECK(judge<int, float>([](double, float&) {}) == verdict::fine);
  CHECK(judge<float, float>([](double, float&) {}) == verdict::fine);
  CHECK(judge<float, float>([](meters, float&) {}) == verdict::fine);
  CHECK(judge<unsigned, float>([](long, float&) {}) == verdict::fine);
  CHECK(judge<bool, float>([](int, float&) {}) == verdict::fine);
  CHECK(judge<colour, float>([](int, float&) {}) == verdict::fine);
  CHECK(judge<shade, float>([](shade, float&) {}) == verdict::fine);
  CHECK(judge<const char*, float>([](text, float&) {}) == verdict::fine);
  CHECK(judge<double, float>([](std::floating_point auto, float&) {}) == verdict::fine);

  CHECK(judge<double, float>([](int, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<double, float>([](const int&, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<double, float>([](float, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<double, float>([](meters, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<int, float>([](float, auto&) {}) == verdict::read_is_narrowed);
  CHECK(judge<int, float>([](unsigned, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<int, float>([](bool, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<long, float>([](double, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<colour, float>([](char, float&) {}) == verdict::read_is_narrowed);
  CHECK(judge<const char*, float>([](bool, float&) {}) == verdict::read_is_narrowed);
}

TEST_CASE("a read gives no access to change the slot") {
  CHECK(judge<floats, float>([](floats&, float&) {}) == verdict::not_callable);
  CHECK(judge<floats, float>([](std::span<float>, float&) {}) == verdict::not_callable);
}

struct overloaded {
  using reads = st::reads<input<double>>;
  using writes = st::writes<output<float>>;
  void operator()(int, float&) const;
  void operator()(double, float&) const;
};
struct overloaded_and_lost {
  using reads = st::reads<input<double>>;
  using writes = st::writes<output<float>>;
  void operator()(double, float);
  void operator()(double, float) const;
};
struct final_template final {
  using reads = st::reads<input<int>>;
  using writes = st::writes<output<float>>;
  void operator()(auto, float&) const {}
};
struct final_and_lost final {
  using reads = st::reads<input<int>>;
  using writes = st::writes<output<float>>;
  void operator()(st::context auto&, int, float) const {}
};
struct only_on_an_lvalue {
  using reads = st::reads<input<int>>;
  using writes = st::writes<output<float>>;
  void operator()(int, float&) & noexcept {}
};
struct writes_all {
  using writes = st::writes<output<float>>;
  void operator()(auto&&) {}
};
struct writes_nothing {
  using writes = st::writes<output<float>>;
  void operator()(const auto&) {}
};

TEST_CASE("bodies that are overloaded, final or of one parameter") {
  CHECK(judged<overloaded>() == verdict::fine);
  CHECK(judged<overloaded_and_lost>() == verdict::write_is_lost);
  CHECK(judged<final_template>() == verdict::fine);
  CHECK(judged<final_and_lost>() == verdict::write_is_lost);
  CHECK(judged<only_on_an_lvalue>() == verdict::fine);
  CHECK(judged<writes_all>() == verdict::fine);
  CHECK(judged<writes_nothing>() == verdict::write_is_lost);
}

}  // namespace
