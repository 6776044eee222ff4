// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic {

/// A file that is written beside its place and takes it when all of it is there: until then, and
/// whatever fails, what was there stays. A file that takes the place of another has its mode; one
/// that is named by a symbolic link takes the place of what the link points to. What is no regular
/// file, such as a pipe, is written itself, as is a file in a folder that takes no new ones.
class new_file {
 public:
  /// Writes it beside its place. Throws `file_error` if it cannot be written.
  new_file(std::string_view path, std::string_view content);
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;
  /// What has not been put in its place is gone.
  ~new_file();

  /// Throws `file_error` if it cannot be.
  void put_in_place();

 private:
  [[noreturn]] void refuse(int error) const;
  /// Writes all of \p content with \p mode of `std::fopen`. What went wrong, or 0.
  static int fill(const std::string& path, const char* mode, std::string_view content,
                  const std::string& like);

  std::string path_;
  std::string place_;    ///< what is replaced
  std::string beside_;   ///< empty: nothing to be put in its place
  std::string content_;  ///< of what is written itself
};

/// Writes a file in that way. Throws `file_error` if it cannot be written.
STRETTO_INLINE void write_file(std::string_view path, std::string_view content);

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/file/new_file.ipp>
#endif
