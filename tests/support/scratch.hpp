// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace tested {

/// A folder of the test's own, whoever else runs the same test, which goes with its object.
class scratch_folder {
 public:
  scratch_folder() {
    std::string path = (std::filesystem::temp_directory_path() / "stretto_test_XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), path);
    path_ = path;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tested
