// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iterator>
#include <regex>
#include <string>
#include <vector>

/// What the brackets of a pattern match in a picture, each time that it does.
inline std::vector<std::vector<std::string>> pieces_of(const std::string& picture,
                                                       const std::string& pattern) {
  const std::regex looked_for(pattern);
  std::vector<std::vector<std::string>> all;
  for (std::sregex_iterator at(picture.begin(), picture.end(), looked_for), end; at != end; ++at)
    all.emplace_back(std::next(at->begin()), at->end());
  return all;
}
