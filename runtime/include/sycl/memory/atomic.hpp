// atomic: the atomic class of SYCL 1.2.1, which SYCL 2020 replaces by atomic_ref.
//
// An object holds a pointer; every order is relaxed unless an argument says otherwise.
#ifndef SYCL_ATOMIC_HPP
#define SYCL_ATOMIC_HPP

#include "atomic_ref.hpp"
#include "multi_ptr.hpp"

namespace sycl {

template <class Type, access::address_space Space = access::address_space::global_space> class atomic {
  static constexpr memory_order relaxed = memory_order::relaxed;
  using reference = atomic_ref<Type, relaxed, memory_scope::device, Space>;

public:
  template <class Another, access::decorated Decorated>
  atomic(multi_ptr<Another, Space, Decorated> pointer) noexcept : object(reinterpret_cast<Type *>(pointer.get())) {
    static_assert(sizeof(Another) == sizeof(Type), "an atomic refers to an object of its size");
  }

  void store(Type operand, memory_order order = relaxed) const noexcept { reference(*object).store(operand, order); }
  Type load(memory_order order = relaxed) const noexcept { return reference(*object).load(order); }
  bool compare_exchange_strong(Type &expected, Type desired, memory_order success = relaxed,
                               memory_order failure = relaxed) const noexcept {
    return reference(*object).compare_exchange_strong(expected, desired, success, failure);
  }

#define SINTER_MODIFY(name)                                                                                            \
  Type name(Type operand, memory_order order = relaxed) const noexcept {                                               \
    return reference(*object).name(operand, order);                                                                    \
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

private:
  Type *object;
};

template <class Type, access::address_space Place>
void atomic_store(atomic<Type, Place> object, detail::no_deduction<Type> operand,
                  memory_order order = memory_order::relaxed) noexcept {
  object.store(operand, order);
}
template <class Type, access::address_space Place>
Type atomic_load(atomic<Type, Place> object, memory_order order = memory_order::relaxed) noexcept {
  return object.load(order);
}
template <class Type, access::address_space Place>
bool atomic_compare_exchange_strong(atomic<Type, Place> object, Type &expected, detail::no_deduction<Type> desired,
                                    memory_order success = memory_order::relaxed,
                                    memory_order failure = memory_order::relaxed) noexcept {
  return object.compare_exchange_strong(expected, desired, success, failure);
}

#define SINTER_MODIFY(name)                                                                                          \
  template <class Type, access::address_space Place>                                                                 \
  Type atomic_##name(atomic<Type, Place> object, detail::no_deduction<Type> operand,                                 \
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
