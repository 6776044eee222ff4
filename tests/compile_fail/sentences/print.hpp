// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <stretto/stretto.hpp>
#include <string>

/// Prints that a case is in the program.
inline void print_case(const char* name) { std::printf("case\t%s\t\n", name); }

/// Prints every violation of a case's schedule.
template <class Schedule>
void print_findings(const char* name) {
  for (const std::string& sentence : stretto::explain_findings<Schedule>())
    std::printf("findings\t%s\t%s\n", name, sentence.c_str());
}

/// Prints what would be the compile errors: the type of the diagnostic, which names the case unless
/// no type of the case is in it, and the sentence.
inline void print_diagnostics() {
  for (const auto& c : stretto::errors::complaints_made())
    std::printf("error\t%.*s\t%s\n", static_cast<int>(c.type.size()), c.type.data(),
                c.sentence.c_str());
}
