// weak_object: refers to an object of SYCL without keeping it (sycl_ext_oneapi_weak_object).
//
// It holds a copy of the object without its reference to the counted state, and the state's anchor;
// locking puts both together. An object is gone when its state is: events share that of their
// queue, accessors that of their buffer. Streams, local accessors and events without a queue have
// none, and are never gone.
#ifndef SYCL_WEAK_OBJECT_HPP
#define SYCL_WEAK_OBJECT_HPP

#include "../memory/accessor.hpp"
#include "../memory/buffer.hpp"
#include "../memory/host_accessor.hpp"
#include "../memory/local_accessor.hpp"
#include "event.hpp"
#include "queue.hpp"
#include "stream.hpp"

#include <optional>

#define SYCL_EXT_ONEAPI_WEAK_OBJECT 1

namespace sycl {
namespace detail {

// Orders objects by the states that they share, then by their places in those.
struct owner_key {
  std::uintptr_t owner = 0;
  std::uint64_t place = 0, serial = 0;

  friend bool operator<(const owner_key &a, const owner_key &b) noexcept {
    if (a.owner != b.owner)
      return a.owner < b.owner;
    return a.place != b.place ? a.place < b.place : a.serial < b.serial;
  }
};

// The state of an object, and what tells it from others with the same state.
struct weak_access {
  template <class Type> static auto &state(Type &of) noexcept { return of.state; }
  template <class Type, int Dimensions, access_mode Mode>
  static auto &state(host_accessor<Type, Dimensions, Mode> &of) noexcept {
    return of.held;
  }
  template <class Type, int Dimensions, access_mode Mode>
  static auto &state(const host_accessor<Type, Dimensions, Mode> &of) noexcept {
    return of.held;
  }

  template <class Type> static owner_key place(const Type &) noexcept { return {}; }
  template <class Type, int Dimensions, class Allocator>
  static owner_key place(const buffer<Type, Dimensions, Allocator> &of) noexcept {
    return {0, of.base, of.is_part};
  }
  static owner_key place(const event &of) noexcept { return {0, of.ticket, of.serial}; }

  template <class Type> static void drop(Type &of) noexcept { state(of) = {}; }
  // The list of dependencies would keep their queues.
  static void drop(event &of) noexcept {
    of.state = {};
    of.waits = {};
  }
};

// How a weak object treats the objects of a type: those with a counted state ...
template <class Type> struct weak_traits {
  using state = std::remove_pointer_t<decltype(weak_access::state(std::declval<Type &>()).get())>;

  static const state *life(const Type &of) noexcept { return weak_access::state(of).get(); }
  static owner_key place(const Type &of) noexcept { return weak_access::place(of); }
  static void drop(Type &of) noexcept { weak_access::drop(of); }
  // Takes over a reference.
  static void give(Type &of, const counted *reference) noexcept {
    weak_access::state(of) = shared<state>::adopt(const_cast<state *>(static_cast<const state *>(reference)));
  }
};
// ... and those that are plain values.
template <class Type> struct weak_value {
  static const counted *life(const Type &) noexcept { return nullptr; }
  static void drop(Type &) noexcept {}
  static void give(Type &, const counted *) noexcept {}
};
template <> struct weak_traits<stream> : weak_value<stream> {
  static owner_key place(const stream &of) noexcept { return {1, of.sinter_hash(), 0}; }
};
template <class Type, int Dimensions>
struct weak_traits<local_accessor<Type, Dimensions>> : weak_value<local_accessor<Type, Dimensions>> {
  static owner_key place(const local_accessor<Type, Dimensions> &of) noexcept { return {1, of.sinter_offset(), 0}; }
};
template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind>
struct weak_traits<accessor<Type, Dimensions, Mode, Target, Kind>> {
  using self = accessor<Type, Dimensions, Mode, Target, Kind>;

  static const buffer_state *life(const self &of) noexcept { return of.sinter_place().owner; }
  static owner_key place(const self &of) noexcept {
    return {0, reinterpret_cast<std::uintptr_t>(of.sinter_place().first), 0};
  }
  static void drop(self &) noexcept {}
  // The accessor's own reference is the buffer's.
  static void give(self &, const counted *reference) noexcept {
    delete shared<buffer_state>::adopt(
        const_cast<buffer_state *>(static_cast<const buffer_state *>(reference))).release();
  }
};

template <class Type> owner_key key_of(const Type &object) {
  using traits = weak_traits<Type>;
  owner_key key = traits::place(object);
  if (const counted *const life = traits::life(object))
    key.owner = reinterpret_cast<std::uintptr_t>(life->sinter_anchor());
  return key;
}
template <class Type> owner_key key_of(const ext::oneapi::weak_object<Type> &object) { return object.sinter_key(); }

template <class Other> struct owner_order {
  template <class Type> static bool before(const Type &a, const Other &b) { return key_of(a) < key_of(b); }
};

} // namespace detail

namespace ext::oneapi {

template <class Type> class weak_object {
  using traits = detail::weak_traits<Type>;

public:
  using object_type = Type;

  constexpr weak_object() noexcept = default;
  weak_object(const Type &object) : kept(object), key(detail::key_of(object)) {
    if (const detail::counted *const life = traits::life(object))
      anchor = detail::weak_reference(life->sinter_anchor());
    traits::drop(*kept);
  }
  weak_object &operator=(const Type &object) {
    weak_object(object).swap(*this);
    return *this;
  }

  void reset() noexcept { weak_object().swap(*this); }
  void swap(weak_object &other) noexcept { std::swap(*this, other); }
  bool expired() const noexcept { return !kept || anchor.is_gone(); }
  std::optional<Type> try_lock() const {
    if (!kept)
      return {};
    std::optional<Type> found = kept;
    if (anchor) {
      const detail::counted *const life = anchor.lock();
      if (!life)
        return {};
      traits::give(*found, life);
    }
    return found;
  }
  Type lock() const {
    std::optional<Type> found = try_lock();
    if (!found)
      throw exception(make_error_code(errc::invalid), "the object that a weak_object refers to does not exist any more");
    return *std::move(found);
  }
  bool owner_before(const weak_object &other) const noexcept { return key < other.key; }
  bool owner_before(const Type &other) const noexcept { return key < detail::key_of(other); }

  const detail::owner_key &sinter_key() const noexcept { return key; }

private:
  std::optional<Type> kept;
  detail::owner_key key;
  detail::weak_reference anchor;
};

template <class Type> struct owner_less {
  bool operator()(const weak_object<Type> &a, const weak_object<Type> &b) const noexcept { return a.owner_before(b); }
  bool operator()(const weak_object<Type> &a, const Type &b) const noexcept { return a.owner_before(b); }
  bool operator()(const Type &a, const weak_object<Type> &b) const noexcept { return a.ext_oneapi_owner_before(b); }
  bool operator()(const Type &a, const Type &b) const noexcept { return a.ext_oneapi_owner_before(b); }
};

} // namespace ext::oneapi
} // namespace sycl

#endif
