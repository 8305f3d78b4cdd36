// A reference-counted pointer to the state that queues, contexts and handlers share with their
// copies.
//
// Cheaper than std::shared_ptr in compile time and memory: one pointer, with the count in the
// object. The count is atomic; the object synchronises access to its own state.
#ifndef SYCL_DETAIL_SHARED_HPP
#define SYCL_DETAIL_SHARED_HPP

#include "config.hpp"

namespace sycl::detail {

// Base of a counted object. Objects are created with one reference, which `shared::adopt` takes
// over.
struct counted {
  counted() = default;
  counted(const counted &) = delete;
  counted &operator=(const counted &) = delete;
  mutable unsigned long references = 1;
};

template <class Type> class shared {
public:
  shared() = default;
  shared(const shared &other) noexcept : object(other.object) {
    if (object)
      __atomic_fetch_add(&object->references, 1, __ATOMIC_RELAXED);
  }
  shared(shared &&other) noexcept : object(other.object) { other.object = nullptr; }
  shared &operator=(shared other) noexcept {
    swap(other);
    return *this;
  }
  ~shared() { delete release(); }

  static shared adopt(Type *object) noexcept {
    shared result;
    result.object = object;
    return result;
  }

  // Adds a reference to an object that has at least one.
  static shared share(Type *object) noexcept {
    __atomic_fetch_add(&object->references, 1, __ATOMIC_RELAXED);
    return adopt(object);
  }
  // Adds a reference, which `adopt` may take back.
  static void keep(Type *object) noexcept { __atomic_fetch_add(&object->references, 1, __ATOMIC_RELAXED); }

  // Drops the reference. Returns the object if this was the last one, and the caller must delete
  // it; otherwise null.
  Type *release() noexcept {
    Type *const mine = object;
    object = nullptr;
    return mine && __atomic_fetch_sub(&mine->references, 1, __ATOMIC_ACQ_REL) == 1 ? mine : nullptr;
  }
  void swap(shared &other) noexcept {
    Type *const mine = object;
    object = other.object;
    other.object = mine;
  }

  Type *get() const noexcept { return object; }
  Type *operator->() const noexcept { return object; }
  Type &operator*() const noexcept { return *object; }
  explicit operator bool() const noexcept { return object != nullptr; }
  friend bool operator==(const shared &a, const shared &b) noexcept { return a.object == b.object; }
  friend bool operator!=(const shared &a, const shared &b) noexcept { return a.object != b.object; }

private:
  Type *object = nullptr;
};

} // namespace sycl::detail

#endif
