// A reference-counted pointer to the state that queues, contexts and handlers share with their
// copies.
//
// Cheaper than std::shared_ptr in compile time and memory: one pointer, with the count in the
// object. The count is atomic; the object synchronises access to its own state.
#ifndef SYCL_DETAIL_SHARED_HPP
#define SYCL_DETAIL_SHARED_HPP

#include "config.hpp"

namespace sycl::detail {

class weak_anchor;

// Base of a counted object. Objects are created with one reference, which `shared::adopt` takes
// over.
struct counted {
  counted() = default;
  counted(const counted &) = delete;
  counted &operator=(const counted &) = delete;
  inline ~counted();
  mutable unsigned long references = 1;

  // For those that refer to the object without keeping it. Made when it is asked for first.
  inline weak_anchor *sinter_anchor() const;

private:
  mutable weak_anchor *anchor = nullptr;
};

// Outlives its object as long as weak references need it. The lock is held for a few instructions.
class weak_anchor {
public:
  explicit weak_anchor(const counted *of) noexcept : object(of) {}
  weak_anchor(const weak_anchor &) = delete;
  weak_anchor &operator=(const weak_anchor &) = delete;

  void keep() noexcept { __atomic_fetch_add(&references, 1, __ATOMIC_RELAXED); }
  void release() noexcept {
    if (__atomic_fetch_sub(&references, 1, __ATOMIC_ACQ_REL) == 1)
      delete this;
  }
  // Adds a reference to the object; null if it has none any more.
  const counted *lock() noexcept {
    enter();
    const counted *const found = object && add(*object) ? object : nullptr;
    leave();
    return found;
  }
  bool is_gone() noexcept {
    enter();
    const bool gone = !object || __atomic_load_n(&object->references, __ATOMIC_ACQUIRE) == 0;
    leave();
    return gone;
  }
  // The end of the object.
  void forget() noexcept {
    enter();
    object = nullptr;
    leave();
    release();
  }

private:
  void enter() noexcept {
    while (__atomic_test_and_set(&is_held, __ATOMIC_ACQUIRE)) {
    }
  }
  void leave() noexcept { __atomic_clear(&is_held, __ATOMIC_RELEASE); }
  static bool add(const counted &one) noexcept {
    unsigned long count = __atomic_load_n(&one.references, __ATOMIC_RELAXED);
    while (count != 0)
      if (__atomic_compare_exchange_n(&one.references, &count, count + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return true;
    return false;
  }

  const counted *object;
  unsigned long references = 1; // the object's
  bool is_held = false;
};

inline counted::~counted() {
  if (anchor)
    anchor->forget();
}

inline weak_anchor *counted::sinter_anchor() const {
  weak_anchor *found = __atomic_load_n(&anchor, __ATOMIC_ACQUIRE);
  if (found)
    return found;
  weak_anchor *const made = new weak_anchor(this);
  if (__atomic_compare_exchange_n(&anchor, &found, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  delete made; // another thread was faster
  return found;
}

// A reference to an anchor.
class weak_reference {
public:
  constexpr weak_reference() noexcept = default;
  explicit weak_reference(weak_anchor *to) noexcept : anchor(to) { anchor->keep(); }
  weak_reference(const weak_reference &other) noexcept : anchor(other.anchor) {
    if (anchor)
      anchor->keep();
  }
  weak_reference &operator=(const weak_reference &other) noexcept {
    weak_reference copy(other);
    weak_anchor *const mine = anchor;
    anchor = copy.anchor;
    copy.anchor = mine;
    return *this;
  }
  ~weak_reference() {
    if (anchor)
      anchor->release();
  }

  explicit operator bool() const noexcept { return anchor != nullptr; }
  // Without an anchor there is no object that could be gone.
  bool is_gone() const noexcept { return anchor && anchor->is_gone(); }
  const counted *lock() const noexcept { return anchor->lock(); }

private:
  weak_anchor *anchor = nullptr;
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
  // Drops the reference unless it is the last one.
  void release_unless_last() noexcept {
    unsigned long count = __atomic_load_n(&object->references, __ATOMIC_RELAXED);
    while (count > 1)
      if (__atomic_compare_exchange_n(&object->references, &count, count - 1, true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
        object = nullptr;
        return;
      }
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
