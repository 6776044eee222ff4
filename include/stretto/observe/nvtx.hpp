// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nvtx3/nvToolsExt.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stretto/declare/context.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

namespace observe::detail {

/// A colour as 0xAARRGGBB, of one row in many: hues as far apart as they come, in equal brightness.
constexpr std::uint32_t row_colour(std::size_t row) {
  constexpr std::size_t sector = 256;
  constexpr std::uint32_t low = 70;
  constexpr std::uint32_t high = 220;
  // Turned by the golden ratio each time, hues fill the colour wheel evenly however many there are.
  const std::size_t hue = (row * 949 + 512) % (6 * sector);
  const auto along = static_cast<std::uint32_t>(hue % sector * (high - low) / sector);
  const std::uint32_t up = low + along;
  const std::uint32_t down = high - along;
  const std::size_t side = hue / sector;
  const std::uint32_t r = std::array{high, down, low, low, up, high}[side];
  const std::uint32_t g = std::array{up, high, high, down, low, low}[side];
  const std::uint32_t b = std::array{low, low, up, high, high, down}[side];
  return 0xff000000U | r << 16U | g << 8U | b;
}

}  // namespace observe::detail

/// Observer that shows tasks to a profiler (Nsight Systems and what else speaks NVTX):
/// `pipeline<training, nvtx_ranges>`. Each task is a range in the domain "stretto", named like the
/// task, in the colour of its stream (of its thread, if it has none), with the batch as payload and
/// the phase of the run as category. On a stream's task the range is the submission; what the
/// device does with it the profiler shows by itself, below the same range.
///
/// Without a profiler a task costs one comparison.
class nvtx_ranges {
 public:
  using stretto_tag = tag::observer;
  static constexpr bool observes = true;

  nvtx_ranges() : domain_(nvtxDomainCreateA("stretto")) {}
  nvtx_ranges(const nvtx_ranges&) = delete;
  nvtx_ranges& operator=(const nvtx_ranges&) = delete;
  ~nvtx_ranges() {
    if (listening()) nvtxDomainDestroy(domain_);
  }

  void attached(std::span<const std::string_view> threads, std::span<const std::string_view> tasks,
                std::span<const std::string_view> streams) {
    if (!listening()) return;
    nvtxDomainNameCategoryA(domain_, category(phase::prefill), "prefill");
    nvtxDomainNameCategoryA(domain_, category(phase::steady), "steady");
    nvtxDomainNameCategoryA(domain_, category(phase::drain), "drain");
    lanes_.clear();
    for (const std::string_view name : threads) lanes_.emplace_back().name = text::shown(name);
    std::vector<std::string_view> rows;  // a stream's number decides its colour
    ranges_.clear();
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const std::string name = text::shown(tasks[t]);
      range r;
      r.name = nvtxDomainRegisterStringA(domain_, name.c_str());
      r.by_thread = streams[t].empty();
      if (!r.by_thread) r.colour = observe::detail::row_colour(number(rows, streams[t]));
      ranges_.push_back(r);
    }
    for (std::size_t h = 0; h < lanes_.size(); ++h)
      lanes_[h].colour = observe::detail::row_colour(rows.size() + h);
  }

  void started(std::size_t thread, std::size_t task, std::size_t batch, phase now) {
    if (!listening()) return;
    lane& own = lanes_[thread];
    if (own.named != &this_thread) name_thread(own);
    const range& r = ranges_[task];
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.category = category(now);
    event.colorType = NVTX_COLOR_ARGB;
    event.color = r.by_thread ? own.colour : r.colour;
    event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    event.payload.ullValue = batch;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = r.name;
    nvtxDomainRangePushEx(domain_, &event);
    own.open = true;
  }
  void finished(std::size_t thread, std::size_t /*task*/, std::size_t /*batch*/) { close(thread); }
  /// A task that fails ends its range too, or those of later runs would nest in it.
  void failed(std::size_t thread, std::size_t /*task*/, std::size_t /*batch*/) { close(thread); }

  /// The number that ranges of a phase have as category.
  static constexpr std::uint32_t category(phase p) { return 1 + static_cast<std::uint32_t>(p); }

 private:
  struct range {
    nvtxStringHandle_t name = nullptr;
    std::uint32_t colour = 0;
    bool by_thread = false;
  };
  /// A host thread's.
  struct alignas(64) lane {
    std::string name;
    const char* named = nullptr;  ///< `this_thread` of the one that has the name
    std::uint32_t colour = 0;
    bool open = false;
  };

  bool listening() const { return domain_ != nullptr; }

  static std::size_t number(std::vector<std::string_view>& rows, std::string_view name) {
    std::size_t n = 0;
    while (n < rows.size() && rows[n] != name) ++n;
    if (n == rows.size()) rows.push_back(name);
    return n;
  }

  /// From within the thread: which one a lane is of may change from run to run.
  static void name_thread(lane& own) {
    nvtxNameOsThreadA(static_cast<std::uint32_t>(::syscall(SYS_gettid)), own.name.c_str());
    own.named = &this_thread;
  }

  void close(std::size_t thread) {
    if (!listening() || !lanes_[thread].open) return;
    lanes_[thread].open = false;
    nvtxDomainRangePop(domain_);
  }

  inline static thread_local char this_thread = 0;  ///< its address tells threads apart

  nvtxDomainHandle_t domain_;
  std::vector<range> ranges_;  ///< by task
  std::vector<lane> lanes_;    ///< by host thread
};

}  // namespace stretto
