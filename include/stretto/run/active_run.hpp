// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::runner::detail {

/// What a pipeline knows of its latest run, until another one begins: how to end it, and that it
/// may ask the pipeline.
class active_run {
 public:
  /// For a pipeline that is being destroyed: ends the run as leaving it does. From then on the run
  /// touches nothing of the pipeline.
  void outlive_pipeline() {
    close_(*this);
    outlived_ = true;
  }
  /// For a pipeline whose slots and numbers are about to be those of another run, or of none.
  void supersede() { superseded_ = true; }

 protected:
  explicit active_run(void (*close)(active_run&)) : close_(close) {}
  bool outlived() const { return outlived_; }
  bool superseded() const { return superseded_; }

 private:
  void (*close_)(active_run&);
  bool outlived_ = false;
  bool superseded_ = false;
};

}  // namespace stretto::runner::detail
