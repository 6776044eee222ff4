// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each misspelling that is known: found where it holds what the field would, whatever the task is
// otherwise; left alone where it is private, or something of the task's own.

#include <doctest/doctest.h>
#include <stretto/declare/communicator.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/static/errors/misspelled.hpp>
#include <string>
#include <type_traits>

namespace st = stretto;

namespace misspelled_test {

template <class Task>
using found = decltype(st::typed::detail::misspelled_member<Task>());
template <class Task>
inline constexpr bool is_fine = st::errors::is_no_error<found<Task>>;
template <class Task, class Member, class Meant>
inline constexpr bool is = std::is_same_v<found<Task>, st::errors::misspelled<Task, Member, Meant>>;

#define EXPECT_MISSPELLING(NAME, MEANT, ...)                                                     \
  namespace of_##NAME {                                                                          \
    struct task {                                                                                \
      __VA_ARGS__;                                                                               \
    };                                                                                           \
    struct last final {                                                                          \
      __VA_ARGS__;                                                                               \
    };                                                                                           \
    struct polymorphic {                                                                         \
      __VA_ARGS__;                                                                               \
      virtual void more() {}                                                                     \
      virtual ~polymorphic() = default;                                                          \
    };                                                                                           \
    struct derived : task {};                                                                    \
    class hidden {                                                                               \
      __VA_ARGS__;                                                                               \
    };                                                                                           \
    class in_private : task {};                                                                  \
    struct function {                                                                            \
      int NAME() const { return 1; }                                                             \
    };                                                                                           \
    struct type {                                                                                \
      struct NAME {};                                                                            \
    };                                                                                           \
    using member = st::invalid::member::NAME;                                                    \
    using meant = st::invalid::did_you_mean::MEANT;                                              \
    static_assert(is<task, member, meant> && is<last, member, meant>);                           \
    static_assert(is<polymorphic, member, meant> && is<derived, member, meant>);                 \
    static_assert(is_fine<hidden> && is_fine<in_private> && is_fine<type>);                      \
    static_assert(is_fine<function> || std::is_same_v<member, st::invalid::member::look_ahead>); \
  }
#define EXPECT_LIST(NAME, MEANT, ...) EXPECT_MISSPELLING(NAME, MEANT, using NAME = __VA_ARGS__)
#define EXPECT_NUMBER(NAME, MEANT)                                                               \
  EXPECT_MISSPELLING(NAME, MEANT, static constexpr int NAME = 1)                                 \
  namespace of_##NAME {                                                                          \
    struct object {                                                                              \
      int NAME = 1;                                                                              \
    };                                                                                           \
    struct fraction {                                                                            \
      static constexpr double NAME = 0.5;                                                        \
    };                                                                                           \
    static_assert(is_fine<object> || std::is_same_v<member, st::invalid::member::look_ahead>);   \
    static_assert(is_fine<fraction> || std::is_same_v<member, st::invalid::member::look_ahead>); \
  }

struct slot : st::slot<int> {};
struct state : st::resource<> {};
struct other {};

EXPECT_LIST(Reads, reads, st::reads<slot>)
EXPECT_LIST(Writes, writes, st::writes<slot>)
EXPECT_LIST(DependsOn, depends_on, st::depends_on<other>)
EXPECT_LIST(CrossIterDependsOn, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(SameProgressSync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(Observes, observes, st::observes<state>)
EXPECT_LIST(Mutates, mutates, st::mutates<state>)
EXPECT_LIST(Stream, stream, st::stream<"x">)
EXPECT_LIST(Thread, thread, st::thread<"x">)
EXPECT_LIST(read, reads, st::reads<slot>)
EXPECT_LIST(raeds, reads, st::reads<slot>)
EXPECT_LIST(redas, reads, st::reads<slot>)
EXPECT_LIST(reasd, reads, st::reads<slot>)
EXPECT_LIST(rads, reads, st::reads<slot>)
EXPECT_LIST(reas, reads, st::reads<slot>)
EXPECT_LIST(readds, reads, st::reads<slot>)
EXPECT_LIST(input, reads, st::reads<slot>)
EXPECT_LIST(inputs, reads, st::reads<slot>)
EXPECT_LIST(write, writes, st::writes<slot>)
EXPECT_LIST(wirtes, writes, st::writes<slot>)
EXPECT_LIST(wrties, writes, st::writes<slot>)
EXPECT_LIST(wriets, writes, st::writes<slot>)
EXPECT_LIST(writse, writes, st::writes<slot>)
EXPECT_LIST(wites, writes, st::writes<slot>)
EXPECT_LIST(wrtes, writes, st::writes<slot>)
EXPECT_LIST(writs, writes, st::writes<slot>)
EXPECT_LIST(writtes, writes, st::writes<slot>)
EXPECT_LIST(output, writes, st::writes<slot>)
EXPECT_LIST(outputs, writes, st::writes<slot>)
EXPECT_LIST(depend_on, depends_on, st::depends_on<other>)
EXPECT_LIST(dependson, depends_on, st::depends_on<other>)
EXPECT_LIST(depends, depends_on, st::depends_on<other>)
EXPECT_LIST(depend, depends_on, st::depends_on<other>)
EXPECT_LIST(depends_of, depends_on, st::depends_on<other>)
EXPECT_LIST(depends_no, depends_on, st::depends_on<other>)
EXPECT_LIST(depens_on, depends_on, st::depends_on<other>)
EXPECT_LIST(depnds_on, depends_on, st::depends_on<other>)
EXPECT_LIST(dpends_on, depends_on, st::depends_on<other>)
EXPECT_LIST(depneds_on, depends_on, st::depends_on<other>)
EXPECT_LIST(depedns_on, depends_on, st::depends_on<other>)
EXPECT_LIST(dependends_on, depends_on, st::depends_on<other>)
EXPECT_LIST(depends_upon, depends_on, st::depends_on<other>)
EXPECT_LIST(dependent_on, depends_on, st::depends_on<other>)
EXPECT_LIST(dependency, depends_on, st::depends_on<other>)
EXPECT_LIST(dependencies, depends_on, st::depends_on<other>)
EXPECT_LIST(dependsOn, depends_on, st::depends_on<other>)
EXPECT_LIST(cross_iter, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iter_depend, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iter_depends, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iter_depend_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iter_dependson, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iterdepends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(crossiter_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iters_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iteration_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_itr_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_inter_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cros_iter_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(corss_iter_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iter_depens_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iter_dependency, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_iter_dependencies, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(cross_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(iter_depends_on, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(crossIterDependsOn, cross_iter_depends_on, st::cross_iter_depends_on<other>)
EXPECT_LIST(sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progress, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(progress_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progress_syncs, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progress_synch, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progress_snyc, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progress_syn, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progess_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progres_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_porgress_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_prgress_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(smae_progress_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progresssync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(sameprogress_sync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(same_progress_depends_on, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(sameProgressSync, same_progress_sync, st::same_progress_sync<other>)
EXPECT_LIST(observe, observes, st::observes<state>)
EXPECT_LIST(observs, observes, st::observes<state>)
EXPECT_LIST(oberves, observes, st::observes<state>)
EXPECT_LIST(obseves, observes, st::observes<state>)
EXPECT_LIST(obsrves, observes, st::observes<state>)
EXPECT_LIST(obsreves, observes, st::observes<state>)
EXPECT_LIST(obsevres, observes, st::observes<state>)
EXPECT_LIST(obeserves, observes, st::observes<state>)
EXPECT_LIST(mutate, mutates, st::mutates<state>)
EXPECT_LIST(mutats, mutates, st::mutates<state>)
EXPECT_LIST(mutaes, mutates, st::mutates<state>)
EXPECT_LIST(muttes, mutates, st::mutates<state>)
EXPECT_LIST(muates, mutates, st::mutates<state>)
EXPECT_LIST(mutaets, mutates, st::mutates<state>)
EXPECT_LIST(mutatse, mutates, st::mutates<state>)
EXPECT_LIST(muttaes, mutates, st::mutates<state>)
EXPECT_LIST(muatets, mutates, st::mutates<state>)
EXPECT_LIST(modifies, mutates, st::mutates<state>)
EXPECT_LIST(streams, stream, st::stream<"x">)
EXPECT_LIST(stram, stream, st::stream<"x">)
EXPECT_LIST(strem, stream, st::stream<"x">)
EXPECT_LIST(steam, stream, st::stream<"x">)
EXPECT_LIST(sream, stream, st::stream<"x">)
EXPECT_LIST(strean, stream, st::stream<"x">)
EXPECT_LIST(steram, stream, st::stream<"x">)
EXPECT_LIST(straem, stream, st::stream<"x">)
EXPECT_LIST(strema, stream, st::stream<"x">)
EXPECT_LIST(srteam, stream, st::stream<"x">)
EXPECT_LIST(streem, stream, st::stream<"x">)
EXPECT_LIST(stream_name, stream, st::stream<"x">)
EXPECT_LIST(threads, thread, st::thread<"x">)
EXPECT_LIST(thred, thread, st::thread<"x">)
EXPECT_LIST(thead, thread, st::thread<"x">)
EXPECT_LIST(tread, thread, st::thread<"x">)
EXPECT_LIST(thrad, thread, st::thread<"x">)
EXPECT_LIST(trhead, thread, st::thread<"x">)
EXPECT_LIST(therad, thread, st::thread<"x">)
EXPECT_LIST(thraed, thread, st::thread<"x">)
EXPECT_LIST(threda, thread, st::thread<"x">)
EXPECT_LIST(htread, thread, st::thread<"x">)
EXPECT_LIST(thread_name, thread, st::thread<"x">)
EXPECT_LIST(roles, role, st::role<"x">)
EXPECT_LIST(rol, role, st::role<"x">)
EXPECT_LIST(rolle, role, st::role<"x">)
EXPECT_LIST(roel, role, st::role<"x">)
EXPECT_LIST(rloe, role, st::role<"x">)
EXPECT_LIST(orle, role, st::role<"x">)
EXPECT_LIST(Role, role, st::role<"x">)
EXPECT_LIST(communicators, communicator, st::communicator<"x">)
EXPECT_LIST(communicater, communicator, st::communicator<"x">)
EXPECT_LIST(comunicator, communicator, st::communicator<"x">)
EXPECT_LIST(commuicator, communicator, st::communicator<"x">)
EXPECT_LIST(commnicator, communicator, st::communicator<"x">)
EXPECT_LIST(communcator, communicator, st::communicator<"x">)
EXPECT_LIST(communictor, communicator, st::communicator<"x">)
EXPECT_LIST(commnuicator, communicator, st::communicator<"x">)
EXPECT_LIST(communciator, communicator, st::communicator<"x">)
EXPECT_LIST(commmunicator, communicator, st::communicator<"x">)
EXPECT_NUMBER(look_ahead, lookahead)
EXPECT_NUMBER(lookAhead, lookahead)
EXPECT_NUMBER(lookaheads, lookahead)
EXPECT_NUMBER(lookahed, lookahead)
EXPECT_NUMBER(lookhead, lookahead)
EXPECT_NUMBER(lookahad, lookahead)
EXPECT_NUMBER(lookaead, lookahead)
EXPECT_NUMBER(lookahea, lookahead)
EXPECT_NUMBER(lokahead, lookahead)
EXPECT_NUMBER(loookahead, lookahead)
EXPECT_NUMBER(lookkahead, lookahead)
EXPECT_NUMBER(lookaahead, lookahead)
EXPECT_NUMBER(lookaheead, lookahead)
EXPECT_NUMBER(lokoahead, lookahead)
EXPECT_NUMBER(looakhead, lookahead)
EXPECT_NUMBER(lookhaead, lookahead)
EXPECT_NUMBER(lookaehad, lookahead)
EXPECT_NUMBER(lookahaed, lookahead)
EXPECT_NUMBER(lookaheda, lookahead)
EXPECT_NUMBER(look_head, lookahead)
EXPECT_NUMBER(Lookahead, lookahead)
EXPECT_NUMBER(kLookahead, lookahead)
EXPECT_NUMBER(weights, weight)
EXPECT_NUMBER(wieght, weight)
EXPECT_NUMBER(weigth, weight)
EXPECT_NUMBER(wegiht, weight)
EXPECT_NUMBER(weihgt, weight)
EXPECT_NUMBER(weght, weight)
EXPECT_NUMBER(wight, weight)
EXPECT_NUMBER(weiht, weight)
EXPECT_NUMBER(weigt, weight)
EXPECT_NUMBER(weigh, weight)
EXPECT_NUMBER(weightt, weight)
EXPECT_NUMBER(waight, weight)
EXPECT_NUMBER(cost, weight)
EXPECT_NUMBER(Weight, weight)
EXPECT_NUMBER(kWeight, weight)
EXPECT_NUMBER(Every, every)
EXPECT_NUMBER(kEvery, every)
EXPECT_NUMBER(Phase, phase)
EXPECT_NUMBER(kPhase, phase)
EXPECT_NUMBER(collectives, collective)
EXPECT_NUMBER(collectiv, collective)
EXPECT_NUMBER(colective, collective)
EXPECT_NUMBER(collectve, collective)
EXPECT_NUMBER(collctive, collective)
EXPECT_NUMBER(collecive, collective)
EXPECT_NUMBER(collectie, collective)
EXPECT_NUMBER(colletive, collective)
EXPECT_NUMBER(coletive, collective)
EXPECT_NUMBER(colelctive, collective)
EXPECT_NUMBER(collecitve, collective)
EXPECT_NUMBER(collectvie, collective)
EXPECT_NUMBER(collectiev, collective)
EXPECT_NUMBER(is_collective, collective)

// Words of other systems: numbers and texts, and Stretto's types.
#define EXPECT_WORD(NAME, MEANT)                                          \
  namespace word_##NAME {                                                 \
    struct number {                                                       \
      static constexpr int NAME = 1;                                      \
    };                                                                    \
    struct flag {                                                         \
      static constexpr bool NAME = true;                                  \
    };                                                                    \
    struct text {                                                         \
      static constexpr const char* NAME = "x";                            \
    };                                                                    \
    struct part {                                                         \
      using NAME = st::thread<"x">;                                       \
    };                                                                    \
    struct last final {                                                   \
      static constexpr int NAME = 1;                                      \
    };                                                                    \
    struct derived : number {};                                           \
    struct object {                                                       \
      int NAME = 1;                                                       \
    };                                                                    \
    struct function {                                                     \
      void NAME() const {}                                                \
    };                                                                    \
    struct type {                                                         \
      struct NAME {};                                                     \
    };                                                                    \
    struct fraction {                                                     \
      static constexpr double NAME = 0.5;                                 \
    };                                                                    \
    class hidden {                                                        \
      static constexpr int NAME = 1;                                      \
    };                                                                    \
    using member = st::invalid::member::NAME;                             \
    using meant = st::invalid::did_you_mean::MEANT;                       \
    static_assert(is<number, member, meant> && is<flag, member, meant>);  \
    static_assert(is<text, member, meant> && is<part, member, meant>);    \
    static_assert(is<last, member, meant> && is<derived, member, meant>); \
    static_assert(is_fine<object> && is_fine<function> && is_fine<type>); \
    static_assert(is_fine<fraction> && is_fine<hidden>);                  \
  }
EXPECT_WORD(nccl, collective)
EXPECT_WORD(globally_ordered, collective)
EXPECT_WORD(all_reduce, collective)
EXPECT_WORD(stage, lookahead)
EXPECT_WORD(pipeline_stage, lookahead)
EXPECT_WORD(batch_offset, lookahead)
EXPECT_WORD(prefetch, lookahead)
EXPECT_WORD(interval, every)
EXPECT_WORD(rate, every)
EXPECT_WORD(period, every)
EXPECT_WORD(frequency, every)
EXPECT_WORD(cadence, every)
EXPECT_WORD(thread_group, thread)
EXPECT_WORD(thread_pool, thread)
EXPECT_WORD(worker, thread)
EXPECT_WORD(executor, thread)
EXPECT_WORD(cuda_stream, stream)
EXPECT_WORD(hip_stream, stream)
EXPECT_WORD(after, depends_on)
EXPECT_WORD(needs, depends_on)
EXPECT_WORD(deps, depends_on)
EXPECT_WORD(upstream, depends_on)
EXPECT_WORD(wait_for, depends_on)
EXPECT_WORD(comm, communicator)
EXPECT_WORD(process_group, communicator)
EXPECT_WORD(nvtx_tag, name)
EXPECT_WORD(nvtx_name, name)
EXPECT_WORD(nvtx_range, name)
EXPECT_WORD(workers, workers)
EXPECT_WORD(num_workers, workers)
EXPECT_WORD(concurrency, workers)
EXPECT_WORD(max_concurrency, workers)
EXPECT_WORD(parallelism, workers)
EXPECT_WORD(parallel, workers)
EXPECT_WORD(queue, queue)
EXPECT_WORD(queue_size, queue)
EXPECT_WORD(priority, stream_options)
EXPECT_WORD(stream_priority, stream_options)
EXPECT_WORD(init, state)

struct fine {
  using stream = st::stream<"x">;
  using thread = st::thread<"y">;
  using reads = st::reads<slot>;
  static constexpr int lookahead = 1;
  static constexpr int weight = 2;
  static constexpr bool collective = true;
};
static_assert(is_fine<fine> && is_fine<int> && is_fine<other>);
static_assert(is_fine<decltype([](int) {})>);

struct flag {
  static constexpr bool colective = true;
};
static_assert(is<flag, st::invalid::member::colective, st::invalid::did_you_mean::collective>);
struct ahead {
  using look_ahead = st::lookahead<1>;
};
static_assert(is<ahead, st::invalid::member::look_ahead, st::invalid::did_you_mean::lookahead>);
struct of_two {
  static constexpr int wieght = 1;
  using strem = st::stream<"x">;
};
static_assert(is<of_two, st::invalid::member::strem, st::invalid::did_you_mean::stream>);

struct made_of_others {
  using inputs = st::reads<slot>;
  using reads = inputs;
  static constexpr int kLookahead = 2;
  static constexpr int lookahead = kLookahead - 1;
  static constexpr int cost = 3;
  static constexpr int weight = cost;
};
static_assert(is_fine<made_of_others>);

TEST_CASE("the sentence names the member and the field") {
  CHECK(found<flag>::text().view() ==
        "task `flag` has a member `colective`, which nobody looks at; did you mean `collective`?");
  CHECK(found<word_workers::number>::text().view() ==
        "task `number` has a member `workers`, which nobody looks at; did you mean "
        "`stretto::workers<\"thread\", 4>`, a part of the schedule?");
  CHECK(found<word_queue::number>::text().view() ==
        "task `number` has a member `queue`, which nobody looks at; did you mean "
        "`stretto::queue<\"thread\", 4>`, a part of the schedule?");
  CHECK(found<word_priority::number>::text().view() ==
        "task `number` has a member `priority`, which nobody looks at; did you mean the priority "
        "of a "
        "stream, which the pipeline is given: `stretto::cuda::streams{{\"stream\", {.priority = "
        "-1}}}`?");
  CHECK(
      found<word_init::flag>::text().view() ==
      "task `flag` has a member `init`, which nobody looks at; did you mean the constructor of an "
      "object of the task, which the pipeline is given?");
}

}  // namespace misspelled_test
