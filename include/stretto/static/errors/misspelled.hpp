// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/fields.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/static/errors/first_diagnostic.hpp>
#include <string_view>
#include <type_traits>

/// Members of a task that nobody would look at, because their names are misspelled.
namespace stretto::typed::detail {

/// Whether a type was meant to declare something to Stretto, whatever the name it goes by.
template <class Type>
inline constexpr bool declares = declare::is_part<Type>;
template <class... Type>
inline constexpr bool declares<reads<Type...>> = true;
template <class... Type>
inline constexpr bool declares<writes<Type...>> = true;
template <class... Type>
inline constexpr bool declares<depends_on<Type...>> = true;
template <class... Type>
inline constexpr bool declares<cross_iter_depends_on<Type...>> = true;
template <class... Type>
inline constexpr bool declares<same_progress_sync<Type...>> = true;
template <class... Type>
inline constexpr bool declares<observes<Type...>> = true;
template <class... Type>
inline constexpr bool declares<mutates<Type...>> = true;
template <std::size_t Count>
inline constexpr bool declares<fixed_string<Count>> = true;

/// Whether a value was meant to declare something: one of Stretto's, or outside of objects a
/// whole number or text. Other data that has the name of a field is the task's own affair.
template <class Value, bool InObject, bool Constant>
consteval bool value_declares() {
  if constexpr (declares<std::remove_cvref_t<Value>>) {
    return true;
  } else if constexpr (InObject || std::is_function_v<Value>) {
    return false;
  } else {
    return (Constant && (std::is_integral_v<std::remove_cvref_t<Value>> ||
                         std::is_enum_v<std::remove_cvref_t<Value>>)) ||
           std::is_constructible_v<std::string_view, std::add_lvalue_reference_t<Value>>;
  }
}
// Of an enumerator there is no address, and none of a reference in an object.
template <class Type, class Address = void>
inline constexpr bool member_declares =
    value_declares<Type,
                   std::is_member_pointer_v<Address> ||
                       (std::is_reference_v<Type> && std::is_void_v<Address>),
                   std::is_const_v<std::remove_reference_t<Type>> || std::is_void_v<Address>>();

// Asked first, because GCC does not forgive the use of data members as constants.
template <class Address>
inline constexpr bool is_static = !std::is_member_pointer_v<Address>;
template <int Value>
struct constant;

// The names that come to mind, and the slips of fingers, for each field. They count if they hold
// what the field would: a list or part of Stretto's, or a constant. What else has such a name is
// the task's own affair. (`meant` is a function because nvcc would show an alias as such.)
namespace spelled = invalid::member;
// clang-format off
struct nearly_reads {
  static invalid::did_you_mean::reads meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::reads; };
  using names = pack<
      spelled::read, spelled::raeds, spelled::redas, spelled::reasd, spelled::rads,
      spelled::reas, spelled::readds, spelled::input, spelled::inputs, spelled::Reads>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::read>; },
        requires { requires declares<typename Type::raeds>; },
        requires { requires declares<typename Type::redas>; },
        requires { requires declares<typename Type::reasd>; },
        requires { requires declares<typename Type::rads>; },
        requires { requires declares<typename Type::reas>; },
        requires { requires declares<typename Type::readds>; },
        requires { requires declares<typename Type::input>; },
        requires { requires declares<typename Type::inputs>; },
        requires { requires declares<typename Type::Reads>; }};
  }
};
struct nearly_writes {
  static invalid::did_you_mean::writes meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::writes; };
  using names = pack<
      spelled::write, spelled::wirtes, spelled::wrties, spelled::wriets, spelled::writse,
      spelled::wites, spelled::wrtes, spelled::writs, spelled::writtes, spelled::output,
      spelled::outputs, spelled::Writes>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::write>; },
        requires { requires declares<typename Type::wirtes>; },
        requires { requires declares<typename Type::wrties>; },
        requires { requires declares<typename Type::wriets>; },
        requires { requires declares<typename Type::writse>; },
        requires { requires declares<typename Type::wites>; },
        requires { requires declares<typename Type::wrtes>; },
        requires { requires declares<typename Type::writs>; },
        requires { requires declares<typename Type::writtes>; },
        requires { requires declares<typename Type::output>; },
        requires { requires declares<typename Type::outputs>; },
        requires { requires declares<typename Type::Writes>; }};
  }
};
struct nearly_depends_on {
  static invalid::did_you_mean::depends_on meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::depends_on; };
  using names = pack<
      spelled::depend_on, spelled::dependson, spelled::depends, spelled::depend,
      spelled::depends_of, spelled::depends_no, spelled::depens_on, spelled::depnds_on,
      spelled::dpends_on, spelled::depneds_on, spelled::depedns_on, spelled::dependends_on,
      spelled::depends_upon, spelled::dependent_on, spelled::dependency,
      spelled::dependencies, spelled::dependsOn, spelled::DependsOn>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::depend_on>; },
        requires { requires declares<typename Type::dependson>; },
        requires { requires declares<typename Type::depends>; },
        requires { requires declares<typename Type::depend>; },
        requires { requires declares<typename Type::depends_of>; },
        requires { requires declares<typename Type::depends_no>; },
        requires { requires declares<typename Type::depens_on>; },
        requires { requires declares<typename Type::depnds_on>; },
        requires { requires declares<typename Type::dpends_on>; },
        requires { requires declares<typename Type::depneds_on>; },
        requires { requires declares<typename Type::depedns_on>; },
        requires { requires declares<typename Type::dependends_on>; },
        requires { requires declares<typename Type::depends_upon>; },
        requires { requires declares<typename Type::dependent_on>; },
        requires { requires declares<typename Type::dependency>; },
        requires { requires declares<typename Type::dependencies>; },
        requires { requires declares<typename Type::dependsOn>; },
        requires { requires declares<typename Type::DependsOn>; }};
  }
};
struct nearly_cross_iter_depends_on {
  static invalid::did_you_mean::cross_iter_depends_on meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::cross_iter_depends_on; };
  using names = pack<
      spelled::cross_iter, spelled::cross_iter_depend, spelled::cross_iter_depends,
      spelled::cross_iter_depend_on, spelled::cross_iter_dependson,
      spelled::cross_iterdepends_on, spelled::crossiter_depends_on,
      spelled::cross_iters_depends_on, spelled::cross_iteration_depends_on,
      spelled::cross_itr_depends_on, spelled::cross_inter_depends_on,
      spelled::cros_iter_depends_on, spelled::corss_iter_depends_on,
      spelled::cross_iter_depens_on, spelled::cross_iter_dependency,
      spelled::cross_iter_dependencies, spelled::cross_depends_on, spelled::iter_depends_on,
      spelled::crossIterDependsOn, spelled::CrossIterDependsOn>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::cross_iter>; },
        requires { requires declares<typename Type::cross_iter_depend>; },
        requires { requires declares<typename Type::cross_iter_depends>; },
        requires { requires declares<typename Type::cross_iter_depend_on>; },
        requires { requires declares<typename Type::cross_iter_dependson>; },
        requires { requires declares<typename Type::cross_iterdepends_on>; },
        requires { requires declares<typename Type::crossiter_depends_on>; },
        requires { requires declares<typename Type::cross_iters_depends_on>; },
        requires { requires declares<typename Type::cross_iteration_depends_on>; },
        requires { requires declares<typename Type::cross_itr_depends_on>; },
        requires { requires declares<typename Type::cross_inter_depends_on>; },
        requires { requires declares<typename Type::cros_iter_depends_on>; },
        requires { requires declares<typename Type::corss_iter_depends_on>; },
        requires { requires declares<typename Type::cross_iter_depens_on>; },
        requires { requires declares<typename Type::cross_iter_dependency>; },
        requires { requires declares<typename Type::cross_iter_dependencies>; },
        requires { requires declares<typename Type::cross_depends_on>; },
        requires { requires declares<typename Type::iter_depends_on>; },
        requires { requires declares<typename Type::crossIterDependsOn>; },
        requires { requires declares<typename Type::CrossIterDependsOn>; }};
  }
};
struct nearly_same_progress_sync {
  static invalid::did_you_mean::same_progress_sync meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::same_progress_sync; };
  using names = pack<
      spelled::sync, spelled::same_progress, spelled::same_sync, spelled::progress_sync,
      spelled::same_progress_syncs, spelled::same_progress_synch, spelled::same_progress_snyc,
      spelled::same_progress_syn, spelled::same_progess_sync, spelled::same_progres_sync,
      spelled::same_porgress_sync, spelled::same_prgress_sync, spelled::smae_progress_sync,
      spelled::same_progresssync, spelled::sameprogress_sync,
      spelled::same_progress_depends_on, spelled::sameProgressSync, spelled::SameProgressSync>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::sync>; },
        requires { requires declares<typename Type::same_progress>; },
        requires { requires declares<typename Type::same_sync>; },
        requires { requires declares<typename Type::progress_sync>; },
        requires { requires declares<typename Type::same_progress_syncs>; },
        requires { requires declares<typename Type::same_progress_synch>; },
        requires { requires declares<typename Type::same_progress_snyc>; },
        requires { requires declares<typename Type::same_progress_syn>; },
        requires { requires declares<typename Type::same_progess_sync>; },
        requires { requires declares<typename Type::same_progres_sync>; },
        requires { requires declares<typename Type::same_porgress_sync>; },
        requires { requires declares<typename Type::same_prgress_sync>; },
        requires { requires declares<typename Type::smae_progress_sync>; },
        requires { requires declares<typename Type::same_progresssync>; },
        requires { requires declares<typename Type::sameprogress_sync>; },
        requires { requires declares<typename Type::same_progress_depends_on>; },
        requires { requires declares<typename Type::sameProgressSync>; },
        requires { requires declares<typename Type::SameProgressSync>; }};
  }
};
struct nearly_observes {
  static invalid::did_you_mean::observes meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::observes; };
  using names = pack<
      spelled::observe, spelled::observs, spelled::oberves, spelled::obseves,
      spelled::obsrves, spelled::obsreves, spelled::obsevres, spelled::obeserves,
      spelled::Observes>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::observe>; },
        requires { requires declares<typename Type::observs>; },
        requires { requires declares<typename Type::oberves>; },
        requires { requires declares<typename Type::obseves>; },
        requires { requires declares<typename Type::obsrves>; },
        requires { requires declares<typename Type::obsreves>; },
        requires { requires declares<typename Type::obsevres>; },
        requires { requires declares<typename Type::obeserves>; },
        requires { requires declares<typename Type::Observes>; }};
  }
};
struct nearly_mutates {
  static invalid::did_you_mean::mutates meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::mutates; };
  using names = pack<
      spelled::mutate, spelled::mutats, spelled::mutaes, spelled::muttes, spelled::muates,
      spelled::mutaets, spelled::mutatse, spelled::muttaes, spelled::muatets,
      spelled::modifies, spelled::Mutates>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::mutate>; },
        requires { requires declares<typename Type::mutats>; },
        requires { requires declares<typename Type::mutaes>; },
        requires { requires declares<typename Type::muttes>; },
        requires { requires declares<typename Type::muates>; },
        requires { requires declares<typename Type::mutaets>; },
        requires { requires declares<typename Type::mutatse>; },
        requires { requires declares<typename Type::muttaes>; },
        requires { requires declares<typename Type::muatets>; },
        requires { requires declares<typename Type::modifies>; },
        requires { requires declares<typename Type::Mutates>; }};
  }
};
struct nearly_stream {
  static invalid::did_you_mean::stream meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::stream; };
  using names = pack<
      spelled::streams, spelled::stram, spelled::strem, spelled::steam, spelled::sream,
      spelled::strean, spelled::steram, spelled::straem, spelled::strema, spelled::srteam,
      spelled::streem, spelled::stream_name, spelled::Stream>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::streams>; },
        requires { requires declares<typename Type::stram>; },
        requires { requires declares<typename Type::strem>; },
        requires { requires declares<typename Type::steam>; },
        requires { requires declares<typename Type::sream>; },
        requires { requires declares<typename Type::strean>; },
        requires { requires declares<typename Type::steram>; },
        requires { requires declares<typename Type::straem>; },
        requires { requires declares<typename Type::strema>; },
        requires { requires declares<typename Type::srteam>; },
        requires { requires declares<typename Type::streem>; },
        requires { requires declares<typename Type::stream_name>; },
        requires { requires declares<typename Type::Stream>; }};
  }
};
struct nearly_thread {
  static invalid::did_you_mean::thread meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::thread; };
  using names = pack<
      spelled::threads, spelled::thred, spelled::thead, spelled::tread, spelled::thrad,
      spelled::trhead, spelled::therad, spelled::thraed, spelled::threda, spelled::htread,
      spelled::thread_name, spelled::Thread>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::threads>; },
        requires { requires declares<typename Type::thred>; },
        requires { requires declares<typename Type::thead>; },
        requires { requires declares<typename Type::tread>; },
        requires { requires declares<typename Type::thrad>; },
        requires { requires declares<typename Type::trhead>; },
        requires { requires declares<typename Type::therad>; },
        requires { requires declares<typename Type::thraed>; },
        requires { requires declares<typename Type::threda>; },
        requires { requires declares<typename Type::htread>; },
        requires { requires declares<typename Type::thread_name>; },
        requires { requires declares<typename Type::Thread>; }};
  }
};
struct nearly_communicator {
  static invalid::did_you_mean::communicator meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::communicator; };
  using names = pack<
      spelled::communicators, spelled::communicater, spelled::comunicator,
      spelled::commuicator, spelled::commnicator, spelled::communcator, spelled::communictor,
      spelled::commnuicator, spelled::communciator, spelled::commmunicator>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::communicators>; },
        requires { requires declares<typename Type::communicater>; },
        requires { requires declares<typename Type::comunicator>; },
        requires { requires declares<typename Type::commuicator>; },
        requires { requires declares<typename Type::commnicator>; },
        requires { requires declares<typename Type::communcator>; },
        requires { requires declares<typename Type::communictor>; },
        requires { requires declares<typename Type::commnuicator>; },
        requires { requires declares<typename Type::communciator>; },
        requires { requires declares<typename Type::commmunicator>; }};
  }
};
struct nearly_role {
  static invalid::did_you_mean::role meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::role; };
  using names = pack<
      spelled::roles, spelled::rol, spelled::rolle, spelled::roel, spelled::rloe, spelled::orle,
      spelled::Role>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::roles>; },
        requires { requires declares<typename Type::rol>; },
        requires { requires declares<typename Type::rolle>; },
        requires { requires declares<typename Type::roel>; },
        requires { requires declares<typename Type::rloe>; },
        requires { requires declares<typename Type::orle>; },
        requires { requires declares<typename Type::Role>; }};
  }
};
/// A bound that stands on its own, too.
struct nearly_on_failure {
  static invalid::did_you_mean::on_failure meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::on_failure; };
  using names = pack<
      spelled::on_failures, spelled::on_failiure, spelled::on_faliure,
      spelled::on_failrue, spelled::onfailure, spelled::on_fail, spelled::on_error,
      spelled::on_exception, spelled::onFailure, spelled::max_failures>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires declares<typename Type::on_failures>; },
        requires { requires declares<typename Type::on_failiure>; },
        requires { requires declares<typename Type::on_faliure>; },
        requires { requires declares<typename Type::on_failrue>; },
        requires { requires declares<typename Type::onfailure>; },
        requires { requires declares<typename Type::on_fail>; },
        requires { requires declares<typename Type::on_error>; },
        requires { requires declares<typename Type::on_exception>; },
        requires { requires declares<typename Type::onFailure>; },
        requires { requires declares<typename Type::max_failures>; }};
  }
};
struct nearly_lookahead {
  static invalid::did_you_mean::lookahead meant();
  template <class Type>
  static constexpr bool stated = requires { Type::lookahead; };
  using names = pack<
      spelled::look_ahead, spelled::lookAhead, spelled::lookaheads, spelled::lookahed,
      spelled::lookhead, spelled::lookahad, spelled::lookaead, spelled::lookahea,
      spelled::lokahead, spelled::loookahead, spelled::lookkahead, spelled::lookaahead,
      spelled::lookaheead, spelled::lokoahead, spelled::looakhead, spelled::lookhaead,
      spelled::lookaehad, spelled::lookahaed, spelled::lookaheda, spelled::look_head,
      spelled::Lookahead, spelled::kLookahead>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { Type::look_ahead; } || requires { requires declares<typename Type::look_ahead>; },
        requires { requires is_static<decltype(&Type::lookAhead)>; typename constant<Type::lookAhead>; },
        requires { requires is_static<decltype(&Type::lookaheads)>; typename constant<Type::lookaheads>; },
        requires { requires is_static<decltype(&Type::lookahed)>; typename constant<Type::lookahed>; },
        requires { requires is_static<decltype(&Type::lookhead)>; typename constant<Type::lookhead>; },
        requires { requires is_static<decltype(&Type::lookahad)>; typename constant<Type::lookahad>; },
        requires { requires is_static<decltype(&Type::lookaead)>; typename constant<Type::lookaead>; },
        requires { requires is_static<decltype(&Type::lookahea)>; typename constant<Type::lookahea>; },
        requires { requires is_static<decltype(&Type::lokahead)>; typename constant<Type::lokahead>; },
        requires { requires is_static<decltype(&Type::loookahead)>; typename constant<Type::loookahead>; },
        requires { requires is_static<decltype(&Type::lookkahead)>; typename constant<Type::lookkahead>; },
        requires { requires is_static<decltype(&Type::lookaahead)>; typename constant<Type::lookaahead>; },
        requires { requires is_static<decltype(&Type::lookaheead)>; typename constant<Type::lookaheead>; },
        requires { requires is_static<decltype(&Type::lokoahead)>; typename constant<Type::lokoahead>; },
        requires { requires is_static<decltype(&Type::looakhead)>; typename constant<Type::looakhead>; },
        requires { requires is_static<decltype(&Type::lookhaead)>; typename constant<Type::lookhaead>; },
        requires { requires is_static<decltype(&Type::lookaehad)>; typename constant<Type::lookaehad>; },
        requires { requires is_static<decltype(&Type::lookahaed)>; typename constant<Type::lookahaed>; },
        requires { requires is_static<decltype(&Type::lookaheda)>; typename constant<Type::lookaheda>; },
        requires { requires is_static<decltype(&Type::look_head)>; typename constant<Type::look_head>; },
        requires { requires is_static<decltype(&Type::Lookahead)>; typename constant<Type::Lookahead>; },
        requires { requires is_static<decltype(&Type::kLookahead)>; typename constant<Type::kLookahead>; }};
  }
};
struct nearly_weight {
  static invalid::did_you_mean::weight meant();
  template <class Type>
  static constexpr bool stated = requires { Type::weight; };
  using names = pack<
      spelled::weights, spelled::wieght, spelled::weigth, spelled::wegiht, spelled::weihgt,
      spelled::weght, spelled::wight, spelled::weiht, spelled::weigt, spelled::weigh,
      spelled::weightt, spelled::waight, spelled::cost, spelled::Weight, spelled::kWeight>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires is_static<decltype(&Type::weights)>; typename constant<Type::weights>; },
        requires { requires is_static<decltype(&Type::wieght)>; typename constant<Type::wieght>; },
        requires { requires is_static<decltype(&Type::weigth)>; typename constant<Type::weigth>; },
        requires { requires is_static<decltype(&Type::wegiht)>; typename constant<Type::wegiht>; },
        requires { requires is_static<decltype(&Type::weihgt)>; typename constant<Type::weihgt>; },
        requires { requires is_static<decltype(&Type::weght)>; typename constant<Type::weght>; },
        requires { requires is_static<decltype(&Type::wight)>; typename constant<Type::wight>; },
        requires { requires is_static<decltype(&Type::weiht)>; typename constant<Type::weiht>; },
        requires { requires is_static<decltype(&Type::weigt)>; typename constant<Type::weigt>; },
        requires { requires is_static<decltype(&Type::weigh)>; typename constant<Type::weigh>; },
        requires { requires is_static<decltype(&Type::weightt)>; typename constant<Type::weightt>; },
        requires { requires is_static<decltype(&Type::waight)>; typename constant<Type::waight>; },
        requires { requires is_static<decltype(&Type::cost)>; typename constant<Type::cost>; },
        requires { requires is_static<decltype(&Type::Weight)>; typename constant<Type::Weight>; },
        requires { requires is_static<decltype(&Type::kWeight)>; typename constant<Type::kWeight>; }};
  }
};
struct nearly_every {
  static invalid::did_you_mean::every meant();
  template <class Type>
  static constexpr bool stated = requires { Type::every; };
  using names = pack<
      spelled::evry, spelled::evey, spelled::eevry, spelled::evrey, spelled::eveyr,
      spelled::veery, spelled::everry, spelled::ever, spelled::every_n, spelled::once_per,
      spelled::once_every, spelled::Every, spelled::kEvery>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires is_static<decltype(&Type::evry)>; typename constant<Type::evry>; },
        requires { requires is_static<decltype(&Type::evey)>; typename constant<Type::evey>; },
        requires { requires is_static<decltype(&Type::eevry)>; typename constant<Type::eevry>; },
        requires { requires is_static<decltype(&Type::evrey)>; typename constant<Type::evrey>; },
        requires { requires is_static<decltype(&Type::eveyr)>; typename constant<Type::eveyr>; },
        requires { requires is_static<decltype(&Type::veery)>; typename constant<Type::veery>; },
        requires { requires is_static<decltype(&Type::everry)>; typename constant<Type::everry>; },
        requires { requires is_static<decltype(&Type::ever)>; typename constant<Type::ever>; },
        requires { requires is_static<decltype(&Type::every_n)>; typename constant<Type::every_n>; },
        requires { requires is_static<decltype(&Type::once_per)>; typename constant<Type::once_per>; },
        requires { requires is_static<decltype(&Type::once_every)>; typename constant<Type::once_every>; },
        requires { requires is_static<decltype(&Type::Every)>; typename constant<Type::Every>; },
        requires { requires is_static<decltype(&Type::kEvery)>; typename constant<Type::kEvery>; }};
  }
};
struct nearly_phase {
  static invalid::did_you_mean::phase meant();
  template <class Type>
  static constexpr bool stated = requires { Type::phase; };
  using names = pack<
      spelled::phases, spelled::phse, spelled::pahse, spelled::phsae, spelled::phaes,
      spelled::phas, spelled::hpase, spelled::phaze, spelled::fase, spelled::Phase, spelled::kPhase>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires is_static<decltype(&Type::phases)>; typename constant<Type::phases>; },
        requires { requires is_static<decltype(&Type::phse)>; typename constant<Type::phse>; },
        requires { requires is_static<decltype(&Type::pahse)>; typename constant<Type::pahse>; },
        requires { requires is_static<decltype(&Type::phsae)>; typename constant<Type::phsae>; },
        requires { requires is_static<decltype(&Type::phaes)>; typename constant<Type::phaes>; },
        requires { requires is_static<decltype(&Type::phas)>; typename constant<Type::phas>; },
        requires { requires is_static<decltype(&Type::hpase)>; typename constant<Type::hpase>; },
        requires { requires is_static<decltype(&Type::phaze)>; typename constant<Type::phaze>; },
        requires { requires is_static<decltype(&Type::fase)>; typename constant<Type::fase>; },
        requires { requires is_static<decltype(&Type::Phase)>; typename constant<Type::Phase>; },
        requires { requires is_static<decltype(&Type::kPhase)>; typename constant<Type::kPhase>; }};
  }
};
struct nearly_collective {
  static invalid::did_you_mean::collective meant();
  template <class Type>
  static constexpr bool stated = requires { Type::collective; };
  using names = pack<
      spelled::collectives, spelled::collectiv, spelled::colective, spelled::collectve,
      spelled::collctive, spelled::collecive, spelled::collectie, spelled::colletive,
      spelled::coletive, spelled::colelctive, spelled::collecitve, spelled::collectvie,
      spelled::collectiev, spelled::is_collective>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires is_static<decltype(&Type::collectives)>; typename constant<Type::collectives>; },
        requires { requires is_static<decltype(&Type::collectiv)>; typename constant<Type::collectiv>; },
        requires { requires is_static<decltype(&Type::colective)>; typename constant<Type::colective>; },
        requires { requires is_static<decltype(&Type::collectve)>; typename constant<Type::collectve>; },
        requires { requires is_static<decltype(&Type::collctive)>; typename constant<Type::collctive>; },
        requires { requires is_static<decltype(&Type::collecive)>; typename constant<Type::collecive>; },
        requires { requires is_static<decltype(&Type::collectie)>; typename constant<Type::collectie>; },
        requires { requires is_static<decltype(&Type::colletive)>; typename constant<Type::colletive>; },
        requires { requires is_static<decltype(&Type::coletive)>; typename constant<Type::coletive>; },
        requires { requires is_static<decltype(&Type::colelctive)>; typename constant<Type::colelctive>; },
        requires { requires is_static<decltype(&Type::collecitve)>; typename constant<Type::collecitve>; },
        requires { requires is_static<decltype(&Type::collectvie)>; typename constant<Type::collectvie>; },
        requires { requires is_static<decltype(&Type::collectiev)>; typename constant<Type::collectiev>; },
        requires { requires is_static<decltype(&Type::is_collective)>; typename constant<Type::is_collective>; }};
  }
};
// What other systems call it. A word counts if it holds what was meant for Stretto: a constant, a text or
// one of Stretto's types.
struct other_word_for_collective {
  static invalid::did_you_mean::collective meant();
  template <class Type>
  static constexpr bool stated = requires { Type::collective; };
  using names = pack<
      spelled::nccl, spelled::globally_ordered, spelled::all_reduce>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::nccl), decltype(&Type::nccl)>; } || requires { requires declares<typename Type::nccl>; },
        requires { requires member_declares<decltype(Type::globally_ordered), decltype(&Type::globally_ordered)>; } || requires { requires declares<typename Type::globally_ordered>; },
        requires { requires member_declares<decltype(Type::all_reduce), decltype(&Type::all_reduce)>; } || requires { requires declares<typename Type::all_reduce>; }};
  }
};
struct other_word_for_lookahead {
  static invalid::did_you_mean::lookahead meant();
  template <class Type>
  static constexpr bool stated = requires { Type::lookahead; };
  using names = pack<
      spelled::stage, spelled::pipeline_stage, spelled::batch_offset, spelled::prefetch>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::stage), decltype(&Type::stage)>; } || requires { requires declares<typename Type::stage>; },
        requires { requires member_declares<decltype(Type::pipeline_stage), decltype(&Type::pipeline_stage)>; } || requires { requires declares<typename Type::pipeline_stage>; },
        requires { requires member_declares<decltype(Type::batch_offset), decltype(&Type::batch_offset)>; } || requires { requires declares<typename Type::batch_offset>; },
        requires { requires member_declares<decltype(Type::prefetch), decltype(&Type::prefetch)>; } || requires { requires declares<typename Type::prefetch>; }};
  }
};
struct other_word_for_every {
  static invalid::did_you_mean::every meant();
  template <class Type>
  static constexpr bool stated = requires { Type::every; };
  using names = pack<
      spelled::interval, spelled::rate, spelled::period, spelled::frequency, spelled::cadence>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::interval), decltype(&Type::interval)>; } || requires { requires declares<typename Type::interval>; },
        requires { requires member_declares<decltype(Type::rate), decltype(&Type::rate)>; } || requires { requires declares<typename Type::rate>; },
        requires { requires member_declares<decltype(Type::period), decltype(&Type::period)>; } || requires { requires declares<typename Type::period>; },
        requires { requires member_declares<decltype(Type::frequency), decltype(&Type::frequency)>; } || requires { requires declares<typename Type::frequency>; },
        requires { requires member_declares<decltype(Type::cadence), decltype(&Type::cadence)>; } || requires { requires declares<typename Type::cadence>; }};
  }
};
struct other_word_for_thread {
  static invalid::did_you_mean::thread meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::thread; };
  using names = pack<
      spelled::thread_group, spelled::thread_pool, spelled::worker, spelled::executor>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::thread_group), decltype(&Type::thread_group)>; } || requires { requires declares<typename Type::thread_group>; },
        requires { requires member_declares<decltype(Type::thread_pool), decltype(&Type::thread_pool)>; } || requires { requires declares<typename Type::thread_pool>; },
        requires { requires member_declares<decltype(Type::worker), decltype(&Type::worker)>; } || requires { requires declares<typename Type::worker>; },
        requires { requires member_declares<decltype(Type::executor), decltype(&Type::executor)>; } || requires { requires declares<typename Type::executor>; }};
  }
};
struct other_word_for_stream {
  static invalid::did_you_mean::stream meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::stream; };
  using names = pack<
      spelled::cuda_stream, spelled::hip_stream>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::cuda_stream), decltype(&Type::cuda_stream)>; } || requires { requires declares<typename Type::cuda_stream>; },
        requires { requires member_declares<decltype(Type::hip_stream), decltype(&Type::hip_stream)>; } || requires { requires declares<typename Type::hip_stream>; }};
  }
};
struct other_word_for_depends_on {
  static invalid::did_you_mean::depends_on meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::depends_on; };
  using names = pack<
      spelled::after, spelled::needs, spelled::deps, spelled::upstream, spelled::wait_for>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::after), decltype(&Type::after)>; } || requires { requires declares<typename Type::after>; },
        requires { requires member_declares<decltype(Type::needs), decltype(&Type::needs)>; } || requires { requires declares<typename Type::needs>; },
        requires { requires member_declares<decltype(Type::deps), decltype(&Type::deps)>; } || requires { requires declares<typename Type::deps>; },
        requires { requires member_declares<decltype(Type::upstream), decltype(&Type::upstream)>; } || requires { requires declares<typename Type::upstream>; },
        requires { requires member_declares<decltype(Type::wait_for), decltype(&Type::wait_for)>; } || requires { requires declares<typename Type::wait_for>; }};
  }
};
struct other_word_for_communicator {
  static invalid::did_you_mean::communicator meant();
  template <class Type>
  static constexpr bool stated = requires { typename Type::communicator; };
  using names = pack<
      spelled::comm, spelled::process_group>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::comm), decltype(&Type::comm)>; } || requires { requires declares<typename Type::comm>; },
        requires { requires member_declares<decltype(Type::process_group), decltype(&Type::process_group)>; } || requires { requires declares<typename Type::process_group>; }};
  }
};
struct other_word_for_name {
  static invalid::did_you_mean::name meant();
  template <class Type>
  static constexpr bool stated = requires { Type::name; };
  using names = pack<
      spelled::nvtx_tag, spelled::nvtx_name, spelled::nvtx_range>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::nvtx_tag), decltype(&Type::nvtx_tag)>; } || requires { requires declares<typename Type::nvtx_tag>; },
        requires { requires member_declares<decltype(Type::nvtx_name), decltype(&Type::nvtx_name)>; } || requires { requires declares<typename Type::nvtx_name>; },
        requires { requires member_declares<decltype(Type::nvtx_range), decltype(&Type::nvtx_range)>; } || requires { requires declares<typename Type::nvtx_range>; }};
  }
};
struct other_word_for_workers {
  static invalid::did_you_mean::workers meant();
  template <class Type>
  static constexpr bool stated = false;
  using names = pack<
      spelled::workers, spelled::num_workers, spelled::concurrency, spelled::max_concurrency,
      spelled::parallelism, spelled::parallel>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::workers), decltype(&Type::workers)>; } || requires { requires declares<typename Type::workers>; },
        requires { requires member_declares<decltype(Type::num_workers), decltype(&Type::num_workers)>; } || requires { requires declares<typename Type::num_workers>; },
        requires { requires member_declares<decltype(Type::concurrency), decltype(&Type::concurrency)>; } || requires { requires declares<typename Type::concurrency>; },
        requires { requires member_declares<decltype(Type::max_concurrency), decltype(&Type::max_concurrency)>; } || requires { requires declares<typename Type::max_concurrency>; },
        requires { requires member_declares<decltype(Type::parallelism), decltype(&Type::parallelism)>; } || requires { requires declares<typename Type::parallelism>; },
        requires { requires member_declares<decltype(Type::parallel), decltype(&Type::parallel)>; } || requires { requires declares<typename Type::parallel>; }};
  }
};
struct other_word_for_queue {
  static invalid::did_you_mean::queue meant();
  template <class Type>
  static constexpr bool stated = false;
  using names = pack<
      spelled::queue, spelled::queue_size>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::queue), decltype(&Type::queue)>; } || requires { requires declares<typename Type::queue>; },
        requires { requires member_declares<decltype(Type::queue_size), decltype(&Type::queue_size)>; } || requires { requires declares<typename Type::queue_size>; }};
  }
};
struct other_word_for_stream_options {
  static invalid::did_you_mean::stream_options meant();
  template <class Type>
  static constexpr bool stated = false;
  using names = pack<
      spelled::priority, spelled::stream_priority>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::priority), decltype(&Type::priority)>; } || requires { requires declares<typename Type::priority>; },
        requires { requires member_declares<decltype(Type::stream_priority), decltype(&Type::stream_priority)>; } || requires { requires declares<typename Type::stream_priority>; }};
  }
};
struct other_word_for_state {
  static invalid::did_you_mean::state meant();
  template <class Type>
  static constexpr bool stated = false;
  using names = pack<
      spelled::init>;
  template <class Type>
  static consteval std::array<bool, names::size> held() {
    return {
        requires { requires member_declares<decltype(Type::init), decltype(&Type::init)>; } || requires { requires declares<typename Type::init>; }};
  }
};
// clang-format on

using all_misspellings =
    pack<nearly_reads, nearly_writes, nearly_depends_on, nearly_cross_iter_depends_on,
         nearly_same_progress_sync, nearly_observes, nearly_mutates, nearly_stream, nearly_thread,
         nearly_communicator, nearly_role, nearly_on_failure, nearly_lookahead, nearly_weight,
         nearly_every, nearly_phase, nearly_collective, other_word_for_collective,
         other_word_for_lookahead, other_word_for_every, other_word_for_thread,
         other_word_for_stream, other_word_for_depends_on, other_word_for_communicator,
         other_word_for_name, other_word_for_workers, other_word_for_queue,
         other_word_for_stream_options, other_word_for_state>;

/// Names that a task's members may have, looked up together with the task's own: one that the task
/// has, private or not, is ambiguous. (Types and values, because GCC looks for either alone.)
struct known_names {
  // clang-format off
  struct read; struct raeds; struct redas; struct reasd; struct rads; struct reas; struct readds;
  struct input; struct inputs; struct write; struct wirtes; struct wrties; struct wriets;
  struct writse; struct wites; struct wrtes; struct writs; struct writtes; struct output;
  struct outputs; struct depend_on; struct dependson; struct depends; struct depend;
  struct depends_of; struct depends_no; struct depens_on; struct depnds_on; struct dpends_on;
  struct depneds_on; struct depedns_on; struct dependends_on; struct depends_upon;
  struct dependent_on; struct dependency; struct dependencies; struct dependsOn;
  struct cross_iter; struct cross_iter_depend; struct cross_iter_depends;
  struct cross_iter_depend_on; struct cross_iter_dependson; struct cross_iterdepends_on;
  struct crossiter_depends_on; struct cross_iters_depends_on; struct cross_iteration_depends_on;
  struct cross_itr_depends_on; struct cross_inter_depends_on; struct cros_iter_depends_on;
  struct corss_iter_depends_on; struct cross_iter_depens_on; struct cross_iter_dependency;
  struct cross_iter_dependencies; struct cross_depends_on; struct iter_depends_on;
  struct crossIterDependsOn; struct sync; struct same_progress; struct same_sync;
  struct progress_sync; struct same_progress_syncs; struct same_progress_synch;
  struct same_progress_snyc; struct same_progress_syn; struct same_progess_sync;
  struct same_progres_sync; struct same_porgress_sync; struct same_prgress_sync;
  struct smae_progress_sync; struct same_progresssync; struct sameprogress_sync;
  struct same_progress_depends_on; struct sameProgressSync; struct observe; struct observs;
  struct oberves; struct obseves; struct obsrves; struct obsreves; struct obsevres;
  struct obeserves; struct mutate; struct mutats; struct mutaes; struct muttes; struct muates;
  struct mutaets; struct mutatse; struct muttaes; struct muatets; struct modifies; struct streams;
  struct stram; struct strem; struct steam; struct sream; struct strean; struct steram;
  struct straem; struct strema; struct srteam; struct streem; struct stream_name; struct threads;
  struct thred; struct thead; struct tread; struct thrad; struct trhead; struct therad;
  struct thraed; struct threda; struct htread; struct thread_name; struct communicators;
  struct communicater; struct comunicator; struct commuicator; struct commnicator;
  struct communcator; struct communictor; struct commnuicator; struct communciator;
  struct commmunicator;
  struct Reads; struct Writes; struct DependsOn; struct CrossIterDependsOn;
  struct SameProgressSync; struct Observes; struct Mutates; struct Stream; struct Thread;
  struct roles; struct rol; struct rolle; struct roel; struct rloe; struct orle; struct Role;
  struct on_failures; struct on_failiure; struct on_faliure; struct on_failrue; struct
  onfailure; struct on_fail; struct on_error; struct on_exception; struct onFailure; struct
  max_failures;
  struct on_failure; struct reads; struct writes; struct depends_on;
  struct cross_iter_depends_on; struct same_progress_sync; struct observes; struct mutates;
  // Words of other systems, which may be either: with both here, either is found.
  struct nccl; struct globally_ordered; struct all_reduce; struct stage; struct pipeline_stage;
  struct batch_offset; struct prefetch; struct interval; struct rate; struct period; struct
  frequency; struct cadence; struct thread_group; struct thread_pool; struct worker; struct
  executor; struct cuda_stream; struct hip_stream; struct after; struct needs; struct deps; struct
  upstream; struct wait_for; struct comm; struct process_group; struct nvtx_tag; struct nvtx_name;
  struct nvtx_range; struct workers; struct num_workers; struct concurrency; struct
  max_concurrency; struct parallelism; struct parallel; struct queue; struct queue_size; struct
  priority; struct stream_priority; struct init;
  enum {
    nccl, globally_ordered, all_reduce, stage, pipeline_stage, batch_offset, prefetch, interval,
    rate, period, frequency, cadence, thread_group, thread_pool, worker, executor, cuda_stream,
    hip_stream, after, needs, deps, upstream, wait_for, comm, process_group, nvtx_tag, nvtx_name,
    nvtx_range, workers, num_workers, concurrency, max_concurrency, parallelism, parallel, queue,
    queue_size, priority, stream_priority, init,
    // NOLINTBEGIN(readability-identifier-naming)
    look_ahead, lookAhead, lookaheads, lookahed, lookhead, lookahad, lookaead, lookahea, lokahead,
    loookahead, lookkahead, lookaahead, lookaheead, lokoahead, looakhead, lookhaead, lookaehad,
    lookahaed, lookaheda, look_head, weights, wieght, weigth, wegiht, weihgt, weght, wight, weiht,
    weigt, weigh, weightt, waight, cost, collectives, collectiv, colective, collectve, collctive,
    collecive, collectie, colletive, coletive, colelctive, collecitve, collectvie, collectiev,
    is_collective, evry, evey, eevry, evrey, eveyr, veery, everry, ever, every_n, once_per,
    once_every, phases, phse, pahse, phsae, phaes, phas, hpase, phaze, fase, Lookahead,
    kLookahead, Weight, kWeight, Every, kEvery, Phase, kPhase, lookahead, every
    // NOLINTEND(readability-identifier-naming)
  };
  // clang-format on
};
template <class Type>
struct with_known_names : Type, known_names {};

/// Whether a class has no member with one of the names above. As all of them are found, compilers
/// make no errors to throw away: that takes them a fraction of the time.
template <class Seen>
concept has_no_misspelled_name = requires {
  // clang-format off
  typename Seen::read; typename Seen::raeds; typename Seen::redas; typename Seen::reasd;
  typename Seen::rads; typename Seen::reas; typename Seen::readds; typename Seen::input;
  typename Seen::inputs; typename Seen::write; typename Seen::wirtes; typename Seen::wrties;
  typename Seen::wriets; typename Seen::writse; typename Seen::wites; typename Seen::wrtes;
  typename Seen::writs; typename Seen::writtes; typename Seen::output; typename Seen::outputs;
  typename Seen::depend_on; typename Seen::dependson; typename Seen::depends;
  typename Seen::depend; typename Seen::depends_of; typename Seen::depends_no;
  typename Seen::depens_on; typename Seen::depnds_on; typename Seen::dpends_on;
  typename Seen::depneds_on; typename Seen::depedns_on; typename Seen::dependends_on;
  typename Seen::depends_upon; typename Seen::dependent_on; typename Seen::dependency;
  typename Seen::dependencies; typename Seen::dependsOn; typename Seen::cross_iter;
  typename Seen::cross_iter_depend; typename Seen::cross_iter_depends;
  typename Seen::cross_iter_depend_on; typename Seen::cross_iter_dependson;
  typename Seen::cross_iterdepends_on; typename Seen::crossiter_depends_on;
  typename Seen::cross_iters_depends_on; typename Seen::cross_iteration_depends_on;
  typename Seen::cross_itr_depends_on; typename Seen::cross_inter_depends_on;
  typename Seen::cros_iter_depends_on; typename Seen::corss_iter_depends_on;
  typename Seen::cross_iter_depens_on; typename Seen::cross_iter_dependency;
  typename Seen::cross_iter_dependencies; typename Seen::cross_depends_on;
  typename Seen::iter_depends_on; typename Seen::crossIterDependsOn; typename Seen::sync;
  typename Seen::same_progress; typename Seen::same_sync; typename Seen::progress_sync;
  typename Seen::same_progress_syncs; typename Seen::same_progress_synch;
  typename Seen::same_progress_snyc; typename Seen::same_progress_syn;
  typename Seen::same_progess_sync; typename Seen::same_progres_sync;
  typename Seen::same_porgress_sync; typename Seen::same_prgress_sync;
  typename Seen::smae_progress_sync; typename Seen::same_progresssync;
  typename Seen::sameprogress_sync; typename Seen::same_progress_depends_on;
  typename Seen::sameProgressSync; typename Seen::observe; typename Seen::observs;
  typename Seen::oberves; typename Seen::obseves; typename Seen::obsrves; typename Seen::obsreves;
  typename Seen::obsevres; typename Seen::obeserves; typename Seen::mutate; typename Seen::mutats;
  typename Seen::mutaes; typename Seen::muttes; typename Seen::muates; typename Seen::mutaets;
  typename Seen::mutatse; typename Seen::muttaes; typename Seen::muatets; typename Seen::modifies;
  typename Seen::streams; typename Seen::stram; typename Seen::strem; typename Seen::steam;
  typename Seen::sream; typename Seen::strean; typename Seen::steram; typename Seen::straem;
  typename Seen::strema; typename Seen::srteam; typename Seen::streem; typename Seen::stream_name;
  typename Seen::threads; typename Seen::thred; typename Seen::thead; typename Seen::tread;
  typename Seen::thrad; typename Seen::trhead; typename Seen::therad; typename Seen::thraed;
  typename Seen::threda; typename Seen::htread; typename Seen::thread_name;
  typename Seen::communicators; typename Seen::communicater; typename Seen::comunicator;
  typename Seen::commuicator; typename Seen::commnicator; typename Seen::communcator;
  typename Seen::communictor; typename Seen::commnuicator; typename Seen::communciator;
  typename Seen::commmunicator;
  typename Seen::on_failures; typename Seen::on_failiure; typename Seen::on_faliure; typename
  Seen::on_failrue; typename Seen::onfailure; typename Seen::on_fail; typename Seen::on_error;
  typename Seen::on_exception; typename Seen::onFailure; typename Seen::max_failures;
  Seen::look_ahead; Seen::lookAhead; Seen::lookaheads;
  Seen::lookahed; Seen::lookhead; Seen::lookahad; Seen::lookaead; Seen::lookahea; Seen::lokahead;
  Seen::loookahead; Seen::lookkahead; Seen::lookaahead; Seen::lookaheead; Seen::lokoahead;
  Seen::looakhead; Seen::lookhaead; Seen::lookaehad; Seen::lookahaed; Seen::lookaheda;
  Seen::look_head; Seen::weights; Seen::wieght; Seen::weigth; Seen::wegiht; Seen::weihgt;
  Seen::weght; Seen::wight; Seen::weiht; Seen::weigt; Seen::weigh; Seen::weightt; Seen::waight;
  Seen::cost; Seen::collectives; Seen::collectiv; Seen::colective; Seen::collectve;
  Seen::collctive; Seen::collecive; Seen::collectie; Seen::colletive; Seen::coletive;
  Seen::colelctive; Seen::collecitve; Seen::collectvie; Seen::collectiev; Seen::is_collective;
  Seen::evry; Seen::evey; Seen::eevry; Seen::evrey; Seen::eveyr; Seen::veery; Seen::everry;
  Seen::ever; Seen::every_n; Seen::once_per; Seen::once_every; Seen::phases; Seen::phse;
  Seen::pahse; Seen::phsae; Seen::phaes; Seen::phas; Seen::hpase; Seen::phaze; Seen::fase;
  typename Seen::Reads; typename Seen::Writes; typename Seen::DependsOn;
  typename Seen::CrossIterDependsOn; typename Seen::SameProgressSync; typename Seen::Observes;
  typename Seen::Mutates; typename Seen::Stream; typename Seen::Thread;
  typename Seen::roles; typename Seen::rol; typename Seen::rolle;
  typename Seen::roel; typename Seen::rloe; typename Seen::orle; typename Seen::Role;
  Seen::Lookahead;
  Seen::kLookahead; Seen::Weight; Seen::kWeight; Seen::Every; Seen::kEvery; Seen::Phase;
  Seen::kPhase;
  Seen::nccl; Seen::globally_ordered; Seen::all_reduce; Seen::stage; Seen::pipeline_stage;
  Seen::batch_offset; Seen::prefetch; Seen::interval; Seen::rate; Seen::period; Seen::frequency;
  Seen::cadence; Seen::thread_group; Seen::thread_pool; Seen::worker; Seen::executor;
  Seen::cuda_stream; Seen::hip_stream; Seen::after; Seen::needs; Seen::deps; Seen::upstream;
  Seen::wait_for; Seen::comm; Seen::process_group; Seen::nvtx_tag; Seen::nvtx_name;
  Seen::nvtx_range; Seen::workers; Seen::num_workers; Seen::concurrency; Seen::max_concurrency;
  Seen::parallelism; Seen::parallel; Seen::queue; Seen::queue_size; Seen::priority;
  Seen::stream_priority; Seen::init;
  // clang-format on
};

/// A class that another can be derived from, whatever it is. (Built-in, because each task is asked,
/// and standard traits are classes.)
template <class Type>
concept can_be_base = __is_class(Type) && !__is_final(Type) && !__is_polymorphic(Type);

template <class Type, class Field>
consteval auto misspelled_as() {
  constexpr std::size_t place = first_true(Field::template held<Type>());
  // Who has the field as well may have made it of the other.
  if constexpr (place < Field::names::size && !Field::template stated<Type>) {
    return errors::misspelled<Type, declare::nth<place, typename Field::names>,
                              decltype(Field::meant())>{};
  } else {
    return errors::no_error{};
  }
}
template <class Type, class... Field>
consteval auto misspelled_as_any(pack<Field...>) {
  return first_diagnostic(pack<decltype(misspelled_as<Type, Field>())...>{});
}

/// The first misspelled member of a task, or `no_error`.
template <class Type>
consteval auto misspelled_member() {
  return misspelled_as_any<Type>(all_misspellings{});
}
template <class Type>
  requires can_be_base<Type> && has_no_misspelled_name<with_known_names<Type>>
consteval auto misspelled_member() {
  return errors::no_error{};
}

}  // namespace stretto::typed::detail
