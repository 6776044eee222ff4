// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/schedule_file.hpp>
#include <string>
#include "compare.hpp"
#include "work.hpp"

namespace dynamic = stretto::dynamic;

namespace filters {

outcome run_stretto(const std::string& file, std::size_t pages) {
  outcome result;
  dynamic::schedule chain = dynamic::load(file);
  for (dynamic::task& t : chain.tasks) t.body = find_filter(t.name);
  dynamic::pipeline pipeline(chain);
  for (const dynamic::result& page : pipeline.run(book(pages))) result.add(page.get<std::string>());
  return result;
}

}  // namespace filters
