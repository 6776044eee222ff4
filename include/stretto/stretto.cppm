// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made from the headers by docs/reference.py.
module;

#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include <stretto/cost_file.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/picture.hpp>
#include <stretto/push.hpp>
#include <stretto/report.hpp>
#include <stretto/scheduled.hpp>
#include <stretto/search.hpp>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <stretto/watch.hpp>

export module stretto;

export namespace stretto {

using stretto::activity;
using stretto::advice;
using stretto::advice_options;
using stretto::advise;
using stretto::ago;
using stretto::agreed_end;
using stretto::answer;
using stretto::asked_of_collectives;
using stretto::at_offset;
using stretto::attached_threads;
using stretto::back_to_back;
using stretto::barrier;
using stretto::batch_of;
using stretto::block;
using stretto::bound_of;
using stretto::by_stream;
using stretto::caller_runs;
using stretto::cancel_on;
using stretto::chosen_by;
using stretto::communicator;
using stretto::communicator_names;
using stretto::context;
using stretto::context_of;
using stretto::copies_of;
using stretto::cores;
using stretto::cost_table;
using stretto::cross_iter_depends_on;
using stretto::curve_piece;
using stretto::deliver;
using stretto::depends_on;
using stretto::describe;
using stretto::draw_svg;
using stretto::every;
using stretto::explain;
using stretto::explain_findings;
using stretto::fidelity;
using stretto::filling_source;
using stretto::findings;
using stretto::fingerprint;
using stretto::fixed_plan;
using stretto::fixed_string;
using stretto::frugal;
using stretto::further_communicator_names;
using stretto::generated;
using stretto::group;
using stretto::idle_of;
using stretto::idle_times;
using stretto::in;
using stretto::in_flight;
using stretto::inout;
using stretto::is_optimal;
using stretto::is_valid;
using stretto::last_of_group;
using stretto::latest;
using stretto::least_of;
using stretto::lookahead;
using stretto::max_bytes;
using stretto::max_in_flight;
using stretto::measured_costs;
using stretto::measured_run;
using stretto::memory_bytes;
using stretto::minimal_stream_waits;
using stretto::modelled_period;
using stretto::monitor;
using stretto::most_batches;
using stretto::mutates;
using stretto::name;
using stretto::name_of;
using stretto::no_collectives;
using stretto::no_device;
using stretto::no_observer;
using stretto::node_fingerprint;
using stretto::node_fingerprints;
using stretto::observer_error;
using stretto::observes;
using stretto::offered_threads;
using stretto::on_caller;
using stretto::optional_source;
using stretto::order;
using stretto::ordered;
using stretto::out;
using stretto::overlaps;
using stretto::pack;
using stretto::pausing_source;
using stretto::per_task;
using stretto::period_bound;
using stretto::phase;
using stretto::pinned;
using stretto::pipeline;
using stretto::pipelined;
using stretto::place;
using stretto::plan_bound;
using stretto::plan_change;
using stretto::plan_least;
using stretto::plan_of;
using stretto::plan_price;
using stretto::points_into;
using stretto::previous;
using stretto::priced_edit;
using stretto::pull;
using stretto::pulled;
using stretto::push_run;
using stretto::queue;
using stretto::range_source;
using stretto::reads;
using stretto::recorded_wait;
using stretto::replan;
using stretto::resource;
using stretto::result;
using stretto::result_on;
using stretto::run_ahead;
using stretto::run_end;
using stretto::run_of;
using stretto::run_report;
using stretto::same_progress_sync;
using stretto::schedule;
using stretto::scheduled;
using stretto::serial;
using stretto::server;
using stretto::simulate;
using stretto::simulation;
using stretto::slack;
using stretto::slot;
using stretto::slot_error;
using stretto::source;
using stretto::source_of;
using stretto::spin;
using stretto::spin_then_sleep;
using stretto::split_what_if;
using stretto::stall_error;
using stretto::status_line;
using stretto::stoppable_token;
using stretto::stream;
using stretto::streams;
using stretto::strict;
using stretto::takes;
using stretto::task;
using stretto::task_context;
using stretto::task_cost;
using stretto::task_error;
using stretto::thread;
using stretto::thread_names;
using stretto::threads;
using stretto::timeline;
using stretto::unanswered;
using stretto::unpinned;
using stretto::unrolled_up_to;
using stretto::usage_error;
using stretto::wait_stopped;
using stretto::waits_of;
using stretto::watchdog;
using stretto::weight;
using stretto::widest_window;
using stretto::window;
using stretto::witness;
using stretto::workers;
using stretto::works_in_turn;
using stretto::write_metrics;
using stretto::write_report;
using stretto::write_trace;
using stretto::writes;

}  // namespace stretto

export namespace stretto::dynamic {

using stretto::dynamic::ago;
using stretto::dynamic::any_place;
using stretto::dynamic::body;
using stretto::dynamic::declared;
using stretto::dynamic::diagnose;
using stretto::dynamic::diagnosis;
using stretto::dynamic::file_error;
using stretto::dynamic::file_problem;
using stretto::dynamic::from_types;
using stretto::dynamic::latest;
using stretto::dynamic::message;
using stretto::dynamic::most_generated;
using stretto::dynamic::most_pairs;
using stretto::dynamic::most_worker_tasks;
using stretto::dynamic::most_workers;
using stretto::dynamic::most_workers_in_all;
using stretto::dynamic::on_caller;
using stretto::dynamic::outline;
using stretto::dynamic::parameter;
using stretto::dynamic::per_task;
using stretto::dynamic::pipeline;
using stretto::dynamic::pipelined;
using stretto::dynamic::planned_schedule;
using stretto::dynamic::points_into;
using stretto::dynamic::previous;
using stretto::dynamic::remove_task;
using stretto::dynamic::rename_slot;
using stretto::dynamic::rename_task;
using stretto::dynamic::result;
using stretto::dynamic::schedule;
using stretto::dynamic::schedule_error;
using stretto::dynamic::serial;
using stretto::dynamic::slack;
using stretto::dynamic::slot_access;
using stretto::dynamic::slot_type;
using stretto::dynamic::slot_value;
using stretto::dynamic::source;
using stretto::dynamic::takes;
using stretto::dynamic::task;
using stretto::dynamic::text_position;
using stretto::dynamic::thread_group;
using stretto::dynamic::type_identity;
using stretto::dynamic::type_of;
using stretto::dynamic::typed_slot;
using stretto::dynamic::use;

}  // namespace stretto::dynamic

export namespace stretto::picture {

using stretto::picture::options;
using stretto::picture::planned;
using stretto::picture::to_dot;
using stretto::picture::to_mermaid;

}  // namespace stretto::picture

export namespace stretto::search {

using stretto::search::answer;
using stretto::search::as_replan;
using stretto::search::effort;
using stretto::search::evaluation;
using stretto::search::find_least_period;
using stretto::search::find_schedule;
using stretto::search::found_schedule;
using stretto::search::illegal;
using stretto::search::least_period;
using stretto::search::limits;
using stretto::search::no_limit;
using stretto::search::no_number;
using stretto::search::number;
using stretto::search::problem;
using stretto::search::proof;
using stretto::search::solution;
using stretto::search::solve;

}  // namespace stretto::search
