// atomic: the atomic class of SYCL 1.2.1, which SYCL 2020 replaces by atomic_ref.
//
// An object is a pointer in disguise; every order is relaxed unless a call says otherwise.
#ifndef SYCL_ATOMIC_HPP
#define SYCL_ATOMIC_HPP

#include "atomic_ref.hpp"
#include "multi_ptr.hpp"

namespace sycl {

template <class T, access::address_space Space = access::address_space::global_space> class atomic {
  static constexpr memory_order relaxed = memory_order::relaxed;
  using reference = atomic_ref<T, relaxed, memory_scope::device, Space>;

public:
  template <class U, access::decorated Decorated>
  atomic(multi_ptr<U, Space, Decorated> pointer) noexcept : object(reinterpret_cast<T *>(pointer.get())) {
    static_assert(sizeof(U) == sizeof(T), "an atomic refers to an object of its size");
  }

  void store(T operand, memory_order order = relaxed) const noexcept { reference(*object).store(operand, order); }
  T load(memory_order order = relaxed) const noexcept { return reference(*object).load(order); }
  bool compare_exchange_strong(T &expected, T desired, memory_order success = relaxed,
                               memory_order failure = relaxed) const noexcept {
    return reference(*object).compare_exchange_strong(expected, desired, success, failure);
  }

#define SINTER_MODIFY(name)                                                                                          \
  T name(T operand, memory_order order = relaxed) const noexcept { return reference(*object).name(operand, order); }
  SINTER_MODIFY(exchange)
  SINTER_MODIFY(fetch_add)
  SINTER_MODIFY(fetch_sub)
  SINTER_MODIFY(fetch_and)
  SINTER_MODIFY(fetch_or)
  SINTER_MODIFY(fetch_xor)
  SINTER_MODIFY(fetch_min)
  SINTER_MODIFY(fetch_max)
#undef SINTER_MODIFY

private:
  T *object;
};

template <class T, access::address_space S>
void atomic_store(atomic<T, S> object, detail::no_deduction<T> operand,
                  memory_order order = memory_order::relaxed) noexcept {
  object.store(operand, order);
}
template <class T, access::address_space S>
T atomic_load(atomic<T, S> object, memory_order order = memory_order::relaxed) noexcept {
  return object.load(order);
}
template <class T, access::address_space S>
bool atomic_compare_exchange_strong(atomic<T, S> object, T &expected, detail::no_deduction<T> desired,
                                    memory_order success = memory_order::relaxed,
                                    memory_order failure = memory_order::relaxed) noexcept {
  return object.compare_exchange_strong(expected, desired, success, failure);
}

#define SINTER_MODIFY(name)                                                                                          \
  template <class T, access::address_space S>                                                                        \
  T atomic_##name(atomic<T, S> object, detail::no_deduction<T> operand,                                              \
                  memory_order order = memory_order::relaxed) noexcept {                                             \
    return object.name(operand, order);                                                                              \
  }
SINTER_MODIFY(exchange)
SINTER_MODIFY(fetch_add)
SINTER_MODIFY(fetch_sub)
SINTER_MODIFY(fetch_and)
SINTER_MODIFY(fetch_or)
SINTER_MODIFY(fetch_xor)
SINTER_MODIFY(fetch_min)
SINTER_MODIFY(fetch_max)
#undef SINTER_MODIFY

} // namespace sycl

#endif
