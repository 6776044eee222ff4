// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Stretto makes of a schedule file: diagnosis, plan, who works on which batch when, pictures,
// and a header of task types.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <new>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/picture.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/schedule_file.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <vector>

namespace {

namespace dynamic = stretto::dynamic;
namespace planner = stretto::planner;

enum exit_code { fine = 0, schedule_is_wrong = 1, cannot_be_done = 2 };

struct options {
  std::string file;
  std::string output;
  std::size_t batches = 4;
  stretto::picture::options picture;
  bool no_legend = false;
  dynamic::header_options header;
};

/// A row a task, a column a progress: the batch that the task works on, or a dot.
std::string fire_table(const dynamic::planned_schedule& p, std::size_t batches) {
  const std::size_t progresses = batches + p.in_flight() - 1;
  constexpr std::size_t most_cells = 10'000'000;
  if (progresses > most_cells / p.plan().order.size())
    throw std::length_error("the table would have more than 10,000,000 cells");
  std::size_t width = 0;
  constexpr std::size_t widest = 40;  // or one long name would pad all rows
  for (const std::size_t n : p.plan().order)
    width = std::max(width, std::min(widest, stretto::text::visible_name(p.name_of(n)).size()));
  const std::size_t cell = 2 + std::to_string(progresses).size();
  const auto row = [&](std::string title, const auto& text_of) {
    title.append(width - std::min(width, title.size()), ' ');
    for (std::size_t i = 0; i < progresses; ++i) {
      const std::string text = text_of(i);
      title.append(cell - text.size(), ' ');
      title += text;
    }
    return title + "\n";
  };
  width = std::max(width, std::string("progress").size());
  std::string table = row("progress", [](std::size_t i) { return std::to_string(i); });
  for (const std::size_t n : p.plan().order)
    table += row(stretto::text::visible_name(p.name_of(n)), [&](std::size_t i) {
      const std::size_t lag = p.lag()[n];
      return planner::fires(lag, i, batches) ? std::to_string(i - lag) : std::string(".");
    });
  return table;
}

/// Says what is wrong with a file, or that nothing is.
int check(const dynamic::schedule_file& file) {
  const std::vector<dynamic::file_problem> problems = file.diagnose();
  for (const dynamic::file_problem& p : problems) std::cerr << message(file.name(), p) << "\n";
  return problems.empty() ? fine : schedule_is_wrong;
}

int print(const options& o, const std::string& text) {
  if (o.output.empty()) {
    std::cout << text << std::flush;
    if (std::cout) return fine;
  } else {
    std::ofstream out(o.output, std::ios::binary);
    out << text;
    out.close();
    if (out) return fine;
  }
  std::cerr << "plan: cannot write " << (o.output.empty() ? "the output" : o.output) << "\n";
  return cannot_be_done;
}

int run(const std::string& command, const options& o) {
  const dynamic::schedule_file file = dynamic::schedule_file::read(o.file);
  if (command == "format") {  // a schedule may be put in form before it is right
    for (const dynamic::file_problem& p : file.problems())
      std::cerr << message(file.name(), p) << "\n";
    return file.ok() ? print(o, to_json(file.schedule())) : schedule_is_wrong;
  }
  if (const int wrong = check(file); wrong != fine) return wrong;
  const dynamic::planned_schedule planned(file.schedule());
  if (command == "check")
    return print(o, stretto::text::visible(file.name()) + ": nothing is wrong with schedule `" +
                        stretto::text::visible_name(planned.input().name) + "` of " +
                        std::to_string(planned.input().tasks.size()) + " tasks\n");
  if (command == "describe") return print(o, planned.describe());
  if (command == "fire") return print(o, fire_table(planned, o.batches));
  if (command == "dot") return print(o, stretto::picture::to_dot(planned, o.picture));
  if (command == "mermaid") return print(o, stretto::picture::to_mermaid(planned, o.picture));
  return print(o, to_header(planned.input(), o.header));
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app("What Stretto makes of a schedule file.");
  app.footer(
      "Exit code: 0; 1 if something is wrong with the schedule, which is said on standard error;\n"
      "2 if the command line is wrong, or the output cannot be made or written.");
  app.require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("FILE", o.file, "the schedule, JSON")->required();
    command->add_option("-o,--output", o.output, "write to this file, not to standard output");
    return command;
  };
  add("check", "say what is wrong, and where");
  add("describe", "print the plan: order, threads, every wait and why, memory");
  add("fire", "print who works on which batch in which progress")
      ->add_option("--batches", o.batches, "batches that the source has")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  for (const auto& [name, what] : {std::pair("dot", "draw the plan in GraphViz's language"),
                                   std::pair("mermaid", "draw the plan in Mermaid's language")}) {
    CLI::App* command = add(name, what);
    command->add_flag("--implied", o.picture.implied, "draw what others imply, too");
    command->add_flag("--no-legend", o.no_legend, "do not explain colours and lines");
  }
  CLI::App* header = add("header", "turn it into a C++ header of task types");
  header->add_option("--namespace", o.header.name_space, "what it is all in")
      ->capture_default_str();
  header->add_option("--include", o.header.includes,
                     "a header with the types of slots, in its quotes or brackets; any number");
  add("format", "print the file as it would be saved");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? fine : cannot_be_done;
  }
  o.picture.legend = !o.no_legend;
  try {
    return run(app.get_subcommands().front()->get_name(), o);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "plan: there is too little memory for this schedule\n");
    return cannot_be_done;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "plan: %s\n", stretto::text::visible(e.what()).c_str());
    return cannot_be_done;
  }
}
