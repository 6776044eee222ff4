// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>

/// Tests of what pipelines do at run time are compiled twice: of the pipeline that is a type, and,
/// where STRETTO_TEST_DYNAMIC is defined, of the runtime version of the same schedule.
#if !defined(STRETTO_TEST_DYNAMIC)

namespace tested {
template <class Schedule, class... Options>
using pipeline = stretto::pipeline<Schedule, Options...>;
inline constexpr bool runtime_version = false;
/// The pipeline that is tested, to be given to who is to know its plan.
template <class Pipeline>
Pipeline& untyped(Pipeline& p) {
  return p;
}
}  // namespace tested

#else

#  include <concepts>
#  include <cstddef>
#  include <iterator>
#  include <stretto/dynamic.hpp>
#  include <stretto/run/result.hpp>
#  include <string_view>
#  include <tuple>
#  include <type_traits>
#  include <utility>

namespace tested {

inline constexpr bool runtime_version = true;

/// A run, or its results alone, which have the types that the schedule says.
template <class Run, class Reference, class Slots>
class typed_run {
 public:
  using reference = Reference;

  template <std::invocable Start>
  explicit typed_run(Start start) : run_(start()) {}
  typed_run(const typed_run&) = delete;
  typed_run& operator=(const typed_run&) = delete;

  bool next() { return run_.next(); }
  template <class Dropped>
  bool next(Dropped&& dropped) {
    return run_.next(std::forward<Dropped>(dropped));
  }
  bool progress() { return run_.progress(); }
  bool has_more() { return run_.has_more(); }
  std::size_t batch() const { return run_.batch(); }
  bool lost_pipeline() const { return run_.lost_pipeline(); }
  Reference result() { return typed(run_.result(), Slots{}); }
  template <class Use>
  void for_each(Use&& use) {
    using result = stretto::dynamic::result;
    if constexpr (std::is_invocable_v<Use&, Reference>) {
      run_.for_each([&](const result& r) { use(typed(r, Slots{})); });
    } else {
      run_.for_each([&](const result& r, std::size_t batch) { use(typed(r, Slots{}), batch); });
    }
  }

  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::remove_cvref_t<Reference>;
    using iterator_concept = std::input_iterator_tag;

    iterator() = default;
    explicit iterator(typename Run::iterator at) : at_(std::move(at)) {}
    Reference operator*() const { return typed(*at_, Slots{}); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    void operator++(int) { ++at_; }
    friend bool operator==(const iterator& i, std::default_sentinel_t end) { return i.at_ == end; }

   private:
    typename Run::iterator at_;
  };
  iterator begin() { return iterator(run_.begin()); }
  static std::default_sentinel_t end() { return {}; }

 private:
  template <class... Slot>
  static Reference typed(const stretto::dynamic::result& r, stretto::pack<Slot...>) {
    if constexpr (sizeof...(Slot) == 0) {
      return r.batch();
    } else if constexpr (sizeof...(Slot) == 1) {
      return (r.get<typename Slot::value_type>(), ...);
    } else {
      return Reference{r.get<typename Slot::value_type>(stretto::name_of<Slot>.text)...};
    }
  }

  Run run_;
};

template <class Schedule, class... Options>
class pipeline {
  using declared = stretto::typed::declared<Schedule>;
  using slots = typename declared::results;
  using inner = stretto::dynamic::pipeline<Options...>;

 public:
  using schedule = Schedule;
  using source_value = typename declared::source_part::slot::value_type;
  using reference = decltype(stretto::runner::result_of(slots{}));

  template <class... Task>
  explicit pipeline(Task&&... tasks) : pipeline_(made_of(std::forward<Task>(tasks)...)) {}
  template <class... Task>
  explicit pipeline(stretto::attached_threads attached, Task&&... tasks)
      : pipeline_(made_of(std::forward<Task>(tasks)..., std::move(attached))) {}

  template <class... Token>
  bool attach(std::string_view group, const Token&... token) {
    return pipeline_.attach(group, token...);
  }

  template <class... Argument>
  auto run(Argument&&... arguments) {
    const auto start = [&] {
      return pipeline_.template run<source_value>(std::forward<Argument>(arguments)...);
    };
    return typed_run<decltype(start()), reference, slots>(start);
  }
  template <class... Argument>
  auto results(Argument&&... arguments) {
    const auto start = [&] {
      return pipeline_.template results<source_value>(std::forward<Argument>(arguments)...);
    };
    return typed_run<decltype(start()), reference, slots>(start);
  }
  void reset() { pipeline_.reset(); }
  const stretto::run_report& report() const { return pipeline_.report(); }
  stretto::failure_list dropped_failures() const { return pipeline_.dropped_failures(); }
  template <class Slot>
  typename Slot::value_type* recover(std::size_t batch) {
    return pipeline_.template recover<typename Slot::value_type>(stretto::name_of<Slot>.text,
                                                                 batch);
  }
  /// Needs `<stretto/position.hpp>`.
  auto position() {
    return position_with(typename stretto::typed::detail::slots_of<Schedule>::type{});
  }
  template <class Task>
  Task& task() {
    return pipeline_.template body<Task>(stretto::name_of<Task>.text);
  }
  std::string_view pulled_by() const { return pipeline_.pulled_by(); }
  void tell_end(stretto::runner::kept_reference& whom) { pipeline_.tell_end(whom); }
  auto& observer() { return pipeline_.observer(); }
  auto& device()
    requires requires(inner& p) { p.device(); }
  {
    return pipeline_.device();
  }
  inner& untyped() { return pipeline_; }

 private:
  /// Those that can be copied are named where a position is taken.
  template <class Type>
  using copied_or_none = std::conditional_t<std::is_copy_constructible_v<Type>, Type, char>;
  template <class... Slot>
  auto position_with(stretto::pack<Slot...>) {
    return pipeline_.template position<copied_or_none<typename Slot::value_type>...>();
  }

  using device_option =
      stretto::declare::first<stretto::tag::device, stretto::pack<Options...>, stretto::no_device>;

  using collectives_option =
      stretto::declare::first<stretto::tag::collectives, stretto::pack<Options...>,
                              stretto::no_collectives>;

  using of_options = typename stretto::declare::joined<typename device_option::settings,
                                                       typename collectives_option::settings>::type;
  using settings = typename stretto::declare::joined<
      of_options, stretto::pack<stretto::cores, stretto::attached_threads>>::type;

  template <class Given>
  static auto if_a_setting(const Given& given) {
    if constexpr (stretto::declare::one_of_pack<Given, settings>) {
      return std::tuple<const Given&>(given);
    } else {
      return std::tuple<>();
    }
  }
  /// Of what one rank runs, the part of the schedule of all ranks.
  template <class... Task>
  static stretto::dynamic::schedule value_of(Task&&... tasks) {
    using part = stretto::declare::first<stretto::tag::projected, typename Schedule::parts>;
    if constexpr (std::is_void_v<part>) {
      return stretto::dynamic::from_types<Schedule, device_option, collectives_option>(
          std::forward<Task>(tasks)...);
    } else {
      return stretto::dynamic::projection(
          stretto::dynamic::from_types<typename part::whole, device_option, collectives_option>(
              std::forward<Task>(tasks)...),
          part::role::value);
    }
  }
  template <class... Task>
  static inner made_of(Task&&... tasks) {
    return std::apply(
        [&](const auto&... setting) {
          auto all = value_of(std::forward<Task>(tasks)...);
          constexpr bool of_an_option =
              (stretto::declare::one_of_pack<std::remove_cvref_t<decltype(setting)>, of_options> ||
               ...);
          if constexpr (of_an_option || device_option::submits || sizeof...(setting) == 0) {
            return inner(std::move(all), setting...);
          } else {
            const std::tuple<decltype(setting)...> given(setting...);
            return inner(std::move(all), stretto::runner::setting_or_default<stretto::cores>(given),
                         stretto::runner::setting_or_default<stretto::attached_threads>(given));
          }
        },
        std::tuple_cat(if_a_setting(tasks)...));
  }

  inner pipeline_;
};

template <class Pipeline>
auto& untyped(Pipeline& p) {
  return p.untyped();
}

}  // namespace tested

#endif
