// The atomic operations of the device interface, one overload per type that it knows.
//
// A 64-bit integer is `long long` here, and a value without a type in the interface (pointers,
// exchanges of floating-point numbers) is passed as a signed integer of its size, a *word*. This
// header does not dereference the pointers, so casting them does not violate strict aliasing; the
// definitions are compiled without it.
#ifndef SYCL_DETAIL_ATOMICS_HPP
#define SYCL_DETAIL_ATOMICS_HPP

#include "../memory/memory.hpp"
#include "builtins.hpp"

namespace sycl::detail {

// Order, scope and address space of an operation, as numbers of the device interface.
struct atomic_mode {
  int space, order, scope;
  constexpr atomic_mode(access::address_space where, memory_order how, memory_scope whom) noexcept
      : space(static_cast<int>(where)), order(static_cast<int>(how)), scope(static_cast<int>(whom)) {}
};

// A translator sees order, scope and space as constants only where the call is part of the kernel.
#define SINTER_INLINED __attribute__((always_inline)) inline

#define SINTER_ATOMIC_FETCH(operation, type, suffix)                                                                 \
  SINTER_INLINED type atomic_fetch_##operation(const atomic_mode &mode, type *object, type operand) noexcept {       \
    return __acpp_sscp_atomic_fetch_##operation##_##suffix(mode.space, mode.order, mode.scope, object, operand);     \
  }

#define SINTER_ATOMIC_NUMBER(type, suffix)                                                                           \
  SINTER_ATOMIC_FETCH(add, type, suffix)                                                                             \
  SINTER_ATOMIC_FETCH(sub, type, suffix)                                                                             \
  SINTER_ATOMIC_FETCH(min, type, suffix)                                                                             \
  SINTER_ATOMIC_FETCH(max, type, suffix)

#define SINTER_ATOMIC_EXCHANGE(strength, type, suffix)                                                               \
  SINTER_INLINED bool atomic_exchange_##strength(const atomic_mode &mode, memory_order failure, type *object,        \
                                         type *expected, type desired) noexcept {                                    \
    return __acpp_sscp_cmp_exch_##strength##_##suffix(mode.space, mode.order, static_cast<int>(failure), mode.scope, \
                                                      object, expected, desired);                                    \
  }

#define SINTER_ATOMIC_WORD(type, suffix)                                                                             \
  SINTER_INLINED void atomic_store(const atomic_mode &mode, type *object, type operand) noexcept {                   \
    __acpp_sscp_atomic_store_##suffix(mode.space, mode.order, mode.scope, object, operand);                          \
  }                                                                                                                  \
  SINTER_INLINED type atomic_load(const atomic_mode &mode, type *object) noexcept {                                  \
    return __acpp_sscp_atomic_load_##suffix(mode.space, mode.order, mode.scope, object);                             \
  }                                                                                                                  \
  SINTER_INLINED type atomic_exchange(const atomic_mode &mode, type *object, type operand) noexcept {                \
    return __acpp_sscp_atomic_exchange_##suffix(mode.space, mode.order, mode.scope, object, operand);                \
  }                                                                                                                  \
  SINTER_ATOMIC_EXCHANGE(weak, type, suffix)                                                                         \
  SINTER_ATOMIC_EXCHANGE(strong, type, suffix)                                                                       \
  SINTER_ATOMIC_FETCH(and, type, suffix)                                                                             \
  SINTER_ATOMIC_FETCH(or, type, suffix)                                                                              \
  SINTER_ATOMIC_FETCH(xor, type, suffix)

SINTER_ATOMIC_WORD(short, i16)
SINTER_ATOMIC_WORD(int, i32)
SINTER_ATOMIC_WORD(long long, i64)
SINTER_ATOMIC_NUMBER(int, i32)
SINTER_ATOMIC_NUMBER(unsigned, u32)
SINTER_ATOMIC_NUMBER(long long, i64)
SINTER_ATOMIC_NUMBER(unsigned long long, u64)
SINTER_ATOMIC_NUMBER(float, f32)
SINTER_ATOMIC_NUMBER(double, f64)

#undef SINTER_ATOMIC_WORD
#undef SINTER_ATOMIC_EXCHANGE
#undef SINTER_ATOMIC_NUMBER
#undef SINTER_ATOMIC_FETCH
#undef SINTER_INLINED

template <class Type>
using atomic_word =
    std::conditional_t<sizeof(Type) == 2, short, std::conditional_t<sizeof(Type) == 4, int, long long>>;

// The type of the interface with the same arithmetic as Type.
template <class Type>
using atomic_number =
    std::conditional_t<std::is_floating_point_v<Type>, Type,
                       std::conditional_t<std::is_signed_v<Type>, atomic_word<Type>,
                                          std::conditional_t<sizeof(Type) == 4, unsigned, unsigned long long>>>;

// The order of the load in a read-modify-write, and of a compare-exchange that fails.
constexpr memory_order read_order(memory_order order) noexcept {
  return order == memory_order::acq_rel ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}
constexpr memory_order write_order(memory_order order) noexcept {
  return order == memory_order::acq_rel ? memory_order::release
         : order == memory_order::acquire ? memory_order::relaxed
                                          : order;
}

} // namespace sycl::detail

#endif
