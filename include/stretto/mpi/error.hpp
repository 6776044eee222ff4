// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace stretto::mpi {

/// A call of MPI returned an error. `what()` is "MPI_Iallreduce failed: " and MPI's own text.
class error : public std::runtime_error {
 public:
  error(const char* call, int code)
      : std::runtime_error(std::string(call).append(" failed: ").append(text_of(code))),
        call_(call),
        code_(code) {}

  const char* call() const { return call_; }
  int code() const { return code_; }

 private:
  static std::string text_of(int code) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS)
      return std::string("error ").append(std::to_string(code));
    return {text.data(), static_cast<std::size_t>(length)};
  }

  const char* call_;
  int code_;
};

/// Throws `error` unless the call went well. For your own calls of MPI, too.
inline void checked(int code, const char* call) {
  if (code != MPI_SUCCESS) throw error(call, code);
}

}  // namespace stretto::mpi
