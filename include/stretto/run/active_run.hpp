// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::runner::detail {

/// What a pipeline knows of the run that is active: how to end it.
class active_run {
 public:
  /// For a pipeline that is being destroyed: ends the run as leaving it does. From then on the run
  /// touches nothing of the pipeline.
  void outlive_pipeline() {
    close_(*this);
    outlived_ = true;
  }

 protected:
  explicit active_run(void (*close)(active_run&)) : close_(close) {}
  bool outlived() const { return outlived_; }

 private:
  void (*close_)(active_run&);
  bool outlived_ = false;
};

}  // namespace stretto::runner::detail
