// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/nccl/core.hpp>
#include <stretto/nccl/error.hpp>
#include <stretto/nccl/interface.hpp>
#include <stretto/run/asked_of_collectives.hpp>
#include <stretto/run/sent_value.hpp>
#include <stretto/run/value_bytes.hpp>
#include <string_view>
#include <utility>

namespace stretto::nccl {

/// What the context of a body gets from `nccl::collectives`. For bodies of collective tasks: the
/// others' have no communicator (`usage_error`).
///
/// Each collective is put on the task's stream, on device memory, and the call returns when the
/// library has put it there, not when it is done. Sizes are numbers of elements. All ranks of the
/// communicator make the same calls. Errors of NCCL are `nccl::error`; when the communicators have
/// been aborted every call throws what they were aborted for.
template <class Library, class Driver>
class in_context {
  using core = detail::core<Library, Driver>;

 public:
  using handle = typename Library::communicator;
  using operation = typename Library::operation;
  using result = typename Library::result;

  in_context() = default;
  in_context(core& all, std::size_t node, std::size_t number = 0)
      : core_(&all), node_(node), number_(number) {}

  /// The calls below on another communicator that the task names:
  /// `ctx.among("tables").all_reduce(...)`. Throws `usage_error` if it does not.
  in_context among(std::string_view communicator) const {
    static_cast<void>(group());
    return {*core_, node_, core_->number_of(node_, communicator)};
  }

  /// The task's communicator, for calls of your own: on the task's stream, each passed to
  /// checked(). Of several the one that it names first.
  handle communicator() const {
    static_cast<void>(group());
    return core_->communicator_of(node_, number_);
  }
  operator handle() const { return communicator(); }
  /// The number of this rank in the task's communicator,
  std::size_t rank() const { return group().rank(); }
  /// and how many there are.
  std::size_t ranks() const { return group().size(); }

  /// Throws unless a call of your own went well, and waits until the communicator is ready for the
  /// next one, which it need not be when a call returns.
  void checked(result r, std::string_view name = "a call of NCCL") const {
    if (r != Library::success && r != Library::in_progress) {
      static_cast<void>(group());
      throw error(name, static_cast<int>(r), Library::text(r), core_->library().last_error({}));
    }
    core_->done(node_, group(), call::async_error, r);
  }

  /// The calls that \p body makes become one: NCCL does them together, those on other communicators
  /// of the task, too.
  template <class Body>
  void grouped(Body&& body) const {
    static_cast<void>(group());
    core_->group_start();
    try {
      std::forward<Body>(body)();
    } catch (...) {
      core_->group_end(node_, false);
      throw;
    }
    core_->group_end(node_, true);
  }

  /// Adds up, or whatever \p op does, element by element over all ranks.
  template <class Type>
  void all_reduce(const Type* in, Type* out, std::size_t size, operation op = Library::sum) const {
    core_->done(node_, group(), call::all_reduce,
                lib().all_reduce(in, out, size, type<Type>(), op, communicator(), on()));
  }
  /// Reduces in place.
  template <class Type>
  void all_reduce(Type* values, std::size_t size, operation op = Library::sum) const {
    all_reduce<Type>(values, values, size, op);
  }
  /// The values of rank \p root get to all.
  template <class Type>
  void broadcast(Type* values, std::size_t size, std::size_t root) const {
    core_->done(node_, group(), call::broadcast,
                lib().broadcast(values, values, size, type<Type>(), static_cast<int>(root),
                                communicator(), on()));
  }
  /// Only rank \p root gets the result.
  template <class Type>
  void reduce(const Type* in, Type* out, std::size_t size, std::size_t root,
              operation op = Library::sum) const {
    core_->done(node_, group(), call::reduce,
                lib().reduce(in, out, size, type<Type>(), op, static_cast<int>(root),
                             communicator(), on()));
  }
  /// \p size values of each rank, by rank, get to all: \p out has room for `ranks() * size`.
  template <class Type>
  void all_gather(const Type* in, Type* out, std::size_t size) const {
    core_->done(node_, group(), call::all_gather,
                lib().all_gather(in, out, size, type<Type>(), communicator(), on()));
  }
  /// Of the sum of `ranks() * size` values each rank gets the \p size that are its own.
  template <class Type>
  void reduce_scatter(const Type* in, Type* out, std::size_t size,
                      operation op = Library::sum) const {
    core_->done(node_, group(), call::reduce_scatter,
                lib().reduce_scatter(in, out, size, type<Type>(), op, communicator(), on()));
  }
  /// The other rank receives at the same place; several at once only within grouped().
  template <class Type>
  void send(const Type* in, std::size_t size, std::size_t to) const {
    core_->done(node_, group(), call::send,
                lib().send(in, size, type<Type>(), static_cast<int>(to), communicator(), on()));
  }
  template <class Type>
  void receive(Type* out, std::size_t size, std::size_t from) const {
    core_->done(
        node_, group(), call::receive,
        lib().receive(out, size, type<Type>(), static_cast<int>(from), communicator(), on()));
  }
  /// \p size values for each rank, by rank, for as many from each.
  template <class Type>
  void all_to_all(const Type* in, Type* out, std::size_t size) const {
    grouped([&] {
      for (std::size_t r = 0; r < ranks(); ++r) {
        send(in + r * size, size, r);
        receive(out + r * size, size, r);
      }
    });
  }

  // For transfers.

  template <class Value>
  void send_value(const Value& value) const {
    send_to_roles(runner::device_bytes_of(value));
  }
  template <class Value>
  void receive_value(Value& value) const {
    receive_from_role(runner::device_bytes_of(value));
  }

  // Likewise, of values whose type is forgotten.

  static bool can_send(const runner::sent_value& how) { return how.on_device != nullptr; }
  void send_as(const runner::sent_value& how, const void* value) const {
    send_to_roles(how.on_device(value));
  }
  void receive_as(const runner::sent_value& how, void* value) const {
    receive_from_role(how.room_on_device(value));
  }

 private:
  /// As one call: none of those who receive keeps the others waiting.
  void send_to_roles(std::span<const std::byte> bytes) const {
    grouped([&] {
      for (const std::string_view role : core_->transfer_of(node_).to)
        send(bytes.data(), bytes.size(), core_->partner(role));
    });
  }
  void receive_from_role(std::span<std::byte> bytes) const {
    receive(bytes.data(), bytes.size(), core_->partner(core_->transfer_of(node_).from));
  }

  const detail::group<Library>& group() const { return core_->group_of(node_, number_); }
  const Library& lib() const { return core_->library(); }
  typename Library::stream on() const { return core_->stream_of(node_); }
  template <class Type>
  static constexpr typename Library::datatype type() {
    return Library::template type_of<Type>();
  }

  core* core_ = nullptr;
  std::size_t node_ = 0;
  std::size_t number_ = 0;  ///< of the communicators that the task names
};

}  // namespace stretto::nccl

namespace stretto {

template <class Library, class Driver>
struct asked_of_collectives<nccl::in_context<Library, Driver>> {
  static constexpr bool known = true;
  using in_context = nccl::in_context<Library, Driver>;
  template <class Here>
  static in_context get(Here, const void* /*spot*/, const void* among) {
    return *static_cast<const in_context*>(among);
  }
};

}  // namespace stretto
