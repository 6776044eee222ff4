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

namespace stretto::runner {

/// Who refers to a pipeline while it has no run of theirs, and is to know when it is gone.
class kept_reference {
 public:
  kept_reference() = default;
  kept_reference(const kept_reference&) = delete;
  kept_reference& operator=(const kept_reference&) = delete;
  ~kept_reference() { leave(); }

  bool outlived() const { return outlived_; }

 private:
  friend class kept_references;
  void leave() {
    if (in_ == nullptr) return;
    if (next_ != nullptr) next_->in_ = in_;
    *in_ = next_;
    in_ = nullptr;
  }

  kept_reference** in_ = nullptr;  ///< where the list refers to it
  kept_reference* next_ = nullptr;
  bool outlived_ = false;
};

/// Those that refer to a pipeline; in it.
class kept_references {
 public:
  kept_references() = default;
  kept_references(const kept_references&) = delete;
  kept_references& operator=(const kept_references&) = delete;
  ~kept_references() {
    while (first_ != nullptr) {
      first_->outlived_ = true;
      first_->leave();
    }
  }

  void add(kept_reference& another) {
    another.next_ = first_;
    if (first_ != nullptr) first_->in_ = &another.next_;
    another.in_ = &first_;
    first_ = &another;
  }

 private:
  kept_reference* first_ = nullptr;
};

}  // namespace stretto::runner
