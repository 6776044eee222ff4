// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stretto::report::detail {

// Blue, orange, grey and yellow of Okabe and Ito, which eyes of all kinds tell apart.
inline constexpr std::string_view colours =
    ":root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fff;--line:#ccc;--busy:#0072b2;"
    "--source:#56b4e9;--wait:#e69f00;--other:#999;--row:#f0f0f0}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#161616;--line:#444;--row:#"
    "262626}}\n";

/// How elements of pictures look, by their classes.
inline constexpr std::string_view picture_style =
    "svg.picture{max-width:none;height:auto;font-size:12px}.picture text{fill:var(--ink)}"
    ".picture line{stroke:var(--line)}.picture .end{text-anchor:end}"
    ".picture .middle{text-anchor:middle}"
    ".picture rect.busy{fill:var(--busy)}.picture rect.source{fill:var(--source)}"
    ".picture rect.wait{fill:var(--wait)}.picture rect.other{fill:var(--other)}"
    ".picture rect.row{fill:var(--row)}\n"
    ".exposure .range{stroke:var(--ink);stroke-width:1.5}\n"
    ".picture .on{fill:#fff}.picture .half{fill:#000}.picture .end-of-batch{stroke:var(--ink)}\n"
    ".plot .axis{stroke:var(--ink);stroke-width:1}.plot .curve{stroke:var(--busy);"
    "stroke-width:2;fill:none}.plot .now{fill:var(--wait)}\n"
    ".graph rect{fill:var(--paper);stroke:var(--ink)}"
    ".graph path{fill:none;stroke:var(--busy);stroke-width:1.5}"
    ".graph .earlier{stroke-dasharray:5 4}.graph path.lit{stroke:var(--wait);stroke-width:3}"
    ".graph .lit rect{fill:var(--wait)}.graph .lit text{fill:#000}"
    ".graph marker path{fill:var(--busy);stroke:none}"
    ".graph #lit-tip path{fill:var(--wait)}\n";

/// A picture of a page as a file of its own.
inline std::string with_style(std::string picture) {
  const std::size_t begin = picture.find('>') + 1;
  return picture.insert(begin, std::string("\n<style>\n")
                                   .append(colours)
                                   .append(picture_style)
                                   .append("svg{background:var(--paper);"
                                           "font-family:Helvetica,Arial,sans-serif}\n</style>"));
}

}  // namespace stretto::report::detail
