// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/handles.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stretto::device::detail {

/// The stream of a device on which each task works, by the names that an observer is attached with.
class task_streams {
 public:
  /// Empty names are those of tasks on no stream.
  void name(std::span<const std::string_view> streams) {
    names_.assign(streams.begin(), streams.end());
  }

  /// Calls \p use with each task that works on a stream, that stream, its name and its device,
  /// which is current then. Throws `device::error`.
  template <class Device, class Use>
  void each(const Device& on, Use use) const {
    using driver = std::remove_cvref_t<decltype(on.driver())>;
    shared::on_device<driver> current(on.driver());
    for (std::size_t t = 0; t < names_.size(); ++t) {
      if (names_[t].empty() || !on.on_stream(t)) continue;
      const typename driver::stream stream = on.stream(names_[t]);
      int device = 0;
      shared::checked<driver>(call::device_of, on.driver().device_of(stream, device));
      current.use(device);
      use(t, stream, std::string_view(names_[t]), device);
    }
  }

 private:
  std::vector<std::string> names_;  // by task
};

}  // namespace stretto::device::detail
