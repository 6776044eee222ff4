// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/run/number_misuse.hpp>
#include <stretto/run/onwards.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/stop.hpp>
#include <type_traits>
#include <utility>

/// Sources and stop tokens that a run cannot use.
namespace stretto::runner {

namespace detail {

template <class Element, class Slot>
struct unfit_element {
  static auto named()
      -> pack<invalid::the_source_yields_what_its_slot_does_not_take<Element, Slot>>;
  static constexpr errors::words text() {
    return "the source yields `" + errors::words(declare::qualified_name<Element>()) +
           "`, which cannot be assigned to slot " + errors::shown<Slot>() + " of type `" +
           errors::words(declare::qualified_name<typename Slot::value_type>()) +
           "`; give the slot a type that takes it, or convert the elements";
  }
};
template <class Element, class Slot>
struct cut_element {
  static auto named() -> pack<
      invalid::the_source_yields_numbers_of_which_its_slot_cuts_something_off<Element, Slot>>;
  static constexpr errors::words text() {
    return loses_a_part<Element, typename Slot::value_type>("the source yields",
                                                            "slot " + errors::shown<Slot>());
  }
};
template <class Element, class Slot>
struct amiss_element {
  static auto named() -> pack<
      invalid::the_source_yields_numbers_that_its_slot_takes_for_something_else<Element, Slot>>;
  static constexpr errors::words text() {
    return takes_amiss<Element, typename Slot::value_type>("the source yields",
                                                           "slot " + errors::shown<Slot>());
  }
};
template <class Element, class Slot>
struct passing_list {
  static auto named()
      -> pack<invalid::the_elements_of_the_list_are_gone_before_the_run_takes_them<Element, Slot>>;
  static constexpr errors::words text() {
    return "the elements of a std::initializer_list that is written where the run is made are gone "
           "when the run takes them for slot " +
           errors::shown<Slot>() + "; give it a std::vector of `" +
           errors::words(declare::qualified_name<Element>()) + "`, or a list that has a name";
  }
};
/// An element that must be moved, of a range or function that keeps it.
template <class Element, class Slot>
struct kept_element {
  static auto named() -> pack<
      invalid::the_source_yields_references_to_what_can_only_be_moved_into_its_slot<Element, Slot>>;
  static constexpr errors::words text() {
    return "the source yields references to `" + errors::words(declare::qualified_name<Element>()) +
           "`, which can be moved into slot " + errors::shown<Slot>() +
           ", but not copied; give a container away with std::move, or yield what may be moved "
           "from: std::ranges::subrange(std::move_iterator(r.begin()), "
           "std::move_iterator(r.end()))";
  }
};
template <class Yielded, class Slot>
consteval auto element_diagnostic() {
  using element = std::remove_cvref_t<Yielded>;
  if constexpr (cuts_off<element, typename Slot::value_type>) {
    return cut_element<element, Slot>{};
  } else if constexpr (is_taken_amiss<element, typename Slot::value_type>) {
    return amiss_element<element, Slot>{};
  } else if constexpr (std::is_assignable_v<typename Slot::value_type&, element&&>) {
    return kept_element<element, Slot>{};
  } else {
    return unfit_element<element, Slot>{};
  }
}
template <class Returned, class Slot>
struct unfit_function {
  static auto named()
      -> pack<invalid::a_function_as_source_must_return_optional_or_fill_the_slot<Returned, Slot>>;
  static constexpr errors::words text() {
    return "a source that is a function returns a std::optional, empty at the end, or takes `" +
           errors::words(declare::qualified_name<typename Slot::value_type&>()) +
           "` and returns whether it filled it; this one returns `" +
           errors::words(declare::qualified_name<Returned>()) + "`";
  }
};
template <class Returned, class Slot>
struct vain_function {
  static auto named()
      -> pack<invalid::a_function_as_source_must_return_optional_or_fill_the_slot<Returned, Slot>>;
  static constexpr errors::words text() {
    return "a source that is a function returns a std::optional, empty at the end, or takes `" +
           errors::words(declare::qualified_name<typename Slot::value_type&>()) +
           "` and returns whether it filled it; this one takes that by value or as const, so that "
           "what it puts there is lost";
  }
};
/// On a rank whose role does not have the source, and on one whose role has it.
template <class Source>
struct source_elsewhere {
  static auto named()
      -> pack<invalid::the_source_is_that_of_another_role_run_with_stretto_follow<Source>>;
  static constexpr errors::words text() {
    return "the role of this projection does not have the source, another role does: run with "
           "`stretto::follow()`, and give the source to that one";
  }
};
template <class Slot>
struct follows_itself {
  static auto named()
      -> pack<invalid::stretto_follow_is_for_ranks_whose_role_does_not_have_the_source<Slot>>;
  static constexpr errors::words text() {
    return "`stretto::follow()` is for ranks whose role does not have the source; this one has it: "
           "run with a range of `" +
           errors::words(declare::qualified_name<typename Slot::value_type>()) + "` or a function";
  }
};
template <class Source, class Slot>
struct unfit_source {
  static auto named() -> pack<invalid::a_source_is_a_range_or_a_function<Source, Slot>>;
  static constexpr errors::words text() {
    if constexpr (requires { &Source::operator(); })
      return "a source that is a function returns a std::optional, empty at the end, or takes `" +
             errors::words(declare::qualified_name<typename Slot::value_type&>()) +
             "` and returns whether it filled it; this one, `" +
             errors::words(declare::qualified_name<Source>()) + "`, cannot be called so";
    else
      return "a source is a range of `" +
             errors::words(declare::qualified_name<typename Slot::value_type>()) +
             "` or a function; this has type `" + errors::words(declare::qualified_name<Source>()) +
             "`";
  }
};

/// Stands for a `std::stop_token`, whose header is not included here.
struct any_token {
  bool stop_requested() const;
  bool stop_possible() const;
  template <stoppable_token Token>
  operator Token() const;
};
/// How a function that takes a token would be called: with the slot, whether it may wait, or alone.
template <class Source, class Value>
concept fills_with_token = std::is_invocable_v<Source&, Value&, any_token>;
template <class Source, class Value>
concept waits_with_token = std::is_invocable_v<Source&, Value&, bool, any_token>;
template <class Source>
concept makes_with_token = std::is_invocable_v<Source&, any_token>;
/// Whether one that takes its token before, or between, what else it takes.
template <class Source, class Value>
concept takes_token_early = std::is_invocable_v<Source&, any_token, Value&> ||
                            std::is_invocable_v<Source&, any_token, Value&, bool> ||
                            std::is_invocable_v<Source&, Value&, any_token, bool>;

template <class Source, class Slot>
struct untold_source {
  static auto named() -> pack<
      invalid::a_source_that_takes_a_stop_token_needs_the_header_stretto_sources_hpp<Source, Slot>>;
  static constexpr errors::words text() {
    return "a source that takes a std::stop_token is told when nothing more is wanted of it by "
           "`#include <stretto/sources.hpp>`, which is missing here";
  }
};
template <class Source, class Slot>
struct token_out_of_place {
  static auto named()
      -> pack<invalid::a_source_takes_its_stop_token_behind_what_else_it_takes<Source, Slot>>;
  static constexpr errors::words text() {
    return "a source takes its std::stop_token behind what else it takes: `bool(" +
           errors::words(declare::qualified_name<typename Slot::value_type&>()) +
           ", std::stop_token)`; this one takes it before";
  }
};
template <class Source, class Slot>
struct token_as_source {
  static auto named()
      -> pack<invalid::a_run_is_given_its_source_first_and_what_stops_it_behind<Source, Slot>>;
  static constexpr errors::words text() {
    return "a run is given its source first, and what stops it behind: `run(source, token)`; `" +
           errors::words(declare::qualified_name<Source>()) + "` stands where the source is to be";
  }
};

/// Of a function that takes a stop token. (What it returns tells whether one with the header would
/// be told.)
template <class Source, class Slot, class... Before>
consteval auto token_diagnostic() {
  using value = typename Slot::value_type;
  using returned = std::invoke_result_t<Source&, Before..., any_token>;
  constexpr bool optional = requires(returned r) {
    r.has_value();
    *r;
  };
  if constexpr (sizeof...(Before) == 0 && optional) {
    if constexpr (goes_into<decltype(*std::declval<returned>()), value>) {
      return untold_source<std::remove_cvref_t<Source>, Slot>{};
    } else {
      return element_diagnostic<decltype(*std::declval<returned>()), Slot>();
    }
  } else if constexpr (sizeof...(Before) == 0 || !says_of_a_batch<returned> ||
                       (sizeof...(Before) == 2 && !std::same_as<returned, pulled>)) {
    return unfit_function<returned, Slot>{};
  } else if constexpr (fills_in_vain<Source, value, any_token> ||
                       fills_in_vain<Source, value, bool, any_token>) {
    return vain_function<returned, Slot>{};
  } else {
    return untold_source<std::remove_cvref_t<Source>, Slot>{};
  }
}

}  // namespace detail

/// Why batches for a slot cannot be taken from a source.
template <class Source, class Slot>
consteval auto source_diagnostic() {
  using source = std::remove_reference_t<Source>;
  using value = typename Slot::value_type;
  using combined = detail::combined<std::remove_cvref_t<Source>>;
  if constexpr (std::is_same_v<Slot, declare::batches_of_others>) {
    return detail::source_elsewhere<std::remove_cvref_t<Source>>{};
  } else if constexpr (std::is_same_v<std::remove_cvref_t<Source>, follow>) {
    return detail::follows_itself<Slot>{};
  } else if constexpr (combined::value) {
    return combined::template diagnostic<Source, Slot>();
  } else if constexpr (detail::is_passing_list<Source>) {
    return detail::passing_list<typename source::value_type, Slot>{};
  } else if constexpr (requires(source& s) {
                         { std::ranges::begin(s) } -> std::input_iterator;
                         std::ranges::end(s);
                       }) {
    return detail::element_diagnostic<decltype(*std::ranges::begin(std::declval<source&>())),
                                      Slot>();
  } else if constexpr (requires(source& s) {
                         s().has_value();
                         *s();
                       }) {
    return detail::element_diagnostic<decltype(*std::declval<source&>()()), Slot>();
  } else if constexpr (std::is_invocable_v<source&>) {
    return detail::unfit_function<std::invoke_result_t<source&>, Slot>{};
  } else if constexpr (detail::fills_in_vain<source, value>) {
    return detail::vain_function<std::invoke_result_t<source&, value&>, Slot>{};
  } else if constexpr (detail::fills_in_vain<source, value, bool>) {
    return detail::vain_function<std::invoke_result_t<source&, value&, bool>, Slot>{};
  } else if constexpr (std::is_invocable_v<source&, value&>) {
    return detail::unfit_function<std::invoke_result_t<source&, value&>, Slot>{};
  } else if constexpr (stoppable_token<source>) {
    return detail::token_as_source<std::remove_cvref_t<Source>, Slot>{};
  } else if constexpr (detail::fills_with_token<source, value>) {
    return detail::token_diagnostic<source, Slot, value&>();
  } else if constexpr (detail::waits_with_token<source, value>) {
    return detail::token_diagnostic<source, Slot, value&, bool>();
  } else if constexpr (detail::makes_with_token<source>) {
    return detail::token_diagnostic<source, Slot>();
  } else if constexpr (detail::takes_token_early<source, value>) {
    return detail::token_out_of_place<std::remove_cvref_t<Source>, Slot>{};
  } else {
    return detail::unfit_source<std::remove_cvref_t<Source>, Slot>{};
  }
}

namespace detail {

template <class Given>
struct unfit_token {
  static auto named() -> pack<invalid::a_run_is_stopped_by_an_object_with_stop_requested<Given>>;
  static constexpr errors::words text() {
    return "a run is stopped by a std::stop_token, or another object with `bool stop_requested() "
           "const`; this has type `" +
           errors::words(declare::qualified_name<Given>()) + "`";
  }
};

template <class Given>
inline constexpr bool stops_runs = stoppable_token<Given> || beginning<Given>;
template <class Token>
inline constexpr bool stops_runs<cancelling<Token>> = true;

/// The first of what was given that does not. Deduced, because nvcc prints how an alias came about.
template <class Given, class... More>
auto unfit(const Given&, const More&... more) {
  if constexpr (sizeof...(More) > 0 && stops_runs<Given>) {
    return unfit(more...);
  } else {
    return unfit_token<Given>{};
  }
}

}  // namespace detail

/// Why there is no run that puts what a source yields into a slot, and is stopped by what was
/// given, if anything was, or begins where that says; or `no_error`.
template <class Slot, class Source, class... Stop>
consteval auto run_diagnostic() {
  if constexpr (!source_of<Source, typename Slot::value_type>) {
    return source_diagnostic<Source, Slot>();
  } else if constexpr ((detail::stops_runs<std::remove_cvref_t<Stop>> && ...)) {
    return errors::no_error{};
  } else {
    return decltype(detail::unfit(std::declval<Stop>()...)){};
  }
}

}  // namespace stretto::runner
