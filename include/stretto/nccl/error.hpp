// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <stretto/nccl/interface.hpp>
#include <string>
#include <string_view>

namespace stretto::nccl {

/// A call to NCCL failed, or NCCL reports that a communicator has. `what()` is
/// "ncclAllReduce: invalid argument (run with NCCL_DEBUG=WARN for details) (ncclResult_t 4)", or
/// the same with "communicator `world`, ticket 2, task `sum` on batch 7: " before it.
class error : public std::runtime_error {
 public:
  error(std::string_view call, int code, std::string_view meaning, std::string_view details,
        std::string_view where = {})
      : std::runtime_error(sentence(call, code, meaning, details, where)),
        call_(call),
        code_(code) {}

  /// The function of NCCL's.
  std::string_view call() const { return call_; }
  /// NCCL's number for what went wrong.
  int code() const { return code_; }

 private:
  static std::string sentence(std::string_view call, int code, std::string_view meaning,
                              std::string_view details, std::string_view where) {
    std::string text(where);
    if (!where.empty()) text.append(": ");
    text.append(call).append(": ").append(meaning);
    text.append(" (ncclResult_t ").append(std::to_string(code)).append(")");
    if (!details.empty()) text.append(": ").append(details);
    return text;
  }

  std::string_view call_;
  int code_;
};

namespace detail {

template <class Library>
[[noreturn, gnu::noinline, gnu::cold]] void fail(const Library& library, call what,
                                                 typename Library::result r,
                                                 typename Library::communicator c = {},
                                                 std::string_view where = {}) {
  const char* const details = library.last_error(c);
  throw error(Library::call_name(what), static_cast<int>(r), Library::text(r),
              details == nullptr ? std::string_view() : std::string_view(details), where);
}

/// Throws `error` if a call failed. That it is still in progress is no failure.
template <class Library>
void checked(const Library& library, call what, typename Library::result r,
             typename Library::communicator c = {}) {
  if (r != Library::success && r != Library::in_progress) fail(library, what, r, c);
}

}  // namespace detail
}  // namespace stretto::nccl
