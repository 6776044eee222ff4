// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <latch>
#include <memory>
#include <string>
#include <string_view>

/// \file
/// What tests of servers ask with, and how they see what came of it.

/// Holds tasks back until it is opened.
class gate {
 public:
  void open() { open_.count_down(); }
  void pass() const { open_.wait(); }

 private:
  std::latch open_{1};
};

/// Has a server's own thread wait in a callback, so that requests gather and are taken together.
class plug {
 public:
  template <class Server>
  explicit plug(Server& server) {
    server.ask(-1, [at = at_](const auto&) {
      at->there.open();
      at->out.pass();
    });
    at_->there.pass();
  }
  void pull() { at_->out.open(); }

 private:
  struct gates {
    gate there;
    gate out;
  };
  // Shared: the server's thread may still be about to leave the gate when the plug is gone.
  std::shared_ptr<gates> at_ = std::make_shared<gates>();
};

/// The sentence of the error with which a future, or a function, ends.
template <class Error, class Function>
std::string error_of(Function&& function) {
  try {
    static_cast<void>(function());
  } catch (const Error& e) {
    return e.what();
  }
  return "no such error";
}
inline bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
