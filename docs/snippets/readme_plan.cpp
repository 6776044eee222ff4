// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of the pipeline in readme.cpp, and what becomes of a wrong one.
#include <cstdio>
#include <string>
#define WITHOUT_MAIN
#include "readme.cpp"

// [mistake]
struct hurried : st::replan<training, st::place<train, st::lookahead<2>>> {};
#ifdef MISTAKE
st::pipeline<hurried> pipeline;
#endif
// [mistake]

int main() {
  std::printf("=== describe\n%s", st::describe<training>().c_str());
  std::printf("=== findings\n");
  for (const std::string& finding : st::explain_findings<hurried>())
    std::printf("%s\n", finding.c_str());
}
