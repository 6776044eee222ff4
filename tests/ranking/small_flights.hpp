// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <string>

/// A made-up data file: enough days that some are held out.
inline std::string small_flights(std::size_t rows) {
  std::string text =
      "date,sched_dep_time,sched_arr_time,carrier,flight,tailnum,origin,dest,distance,temp,dewp,"
      "humid,"
      "wind_dir,wind_speed,precip,pressure,visib,arr_delay\n";
  const std::array<const char*, 4> carriers{"UA", "AA", "B6", "DL"};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t day = 1 + i * 28 / rows;
    const std::size_t hour = 6 + i % 15;
    text += "2013-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + "," +
            std::to_string(hour * 100 + 15) + "," + std::to_string((hour + 2) * 100 + 5) + "," +
            carriers[i % 4] + "," + std::to_string(100 + i % 37) + ",N" + std::to_string(i % 53) +
            ",JFK,LAX,2475,39.0,26.1,59.4,270,10.4,0.0,1012.0,10.0," +
            (i % 50 == 49 ? std::string() : std::to_string(static_cast<int>(i * 7 % 60) - 20)) +
            "\n";
  }
  return text;
}
