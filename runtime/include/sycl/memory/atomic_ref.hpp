// atomic_ref: atomic operations on an object in memory.
//
// In device code they call the device interface, which keeps order, scope and address space until
// the translator knows the target. In host code they are the compiler's, sequentially consistent
// for every order: that is never too weak, and on x86 only makes a store slower. Operations are
// lock-free for every accepted type.
#ifndef SYCL_ATOMIC_REF_HPP
#define SYCL_ATOMIC_REF_HPP

#include "../detail/atomics.hpp"
#include "../types/bfloat16.hpp"

namespace sycl {
namespace detail {

template <class Type>
inline constexpr bool is_atomic_number = is_short_float<Type> || (std::is_arithmetic_v<Type> &&
                                                                  (sizeof(Type) == 4 || sizeof(Type) == 8));
// Replaces the value by `change` of it, in host code. Returns the previous value.
template <class Type, class Change> inline Type host_update(Type *object, const Change &change) noexcept {
  Type seen, next;
  __atomic_load(object, &seen, __ATOMIC_SEQ_CST);
  do
    next = change(seen);
  while (!__atomic_compare_exchange(object, &seen, &next, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return seen;
}

template <class Type>
inline constexpr bool is_atomic_pointer = std::is_pointer_v<Type> && std::is_object_v<std::remove_pointer_t<Type>>;

// Operations of every atomic_ref.
template <class Type, memory_order Order, memory_scope Scope, access::address_space Space> class atomic_object {
  static_assert((is_atomic_number<Type> && !std::is_const_v<Type>) || is_atomic_pointer<Type>,
                "atomic_ref takes int, long, long long, their unsigned forms, half, bfloat16, float, double and pointers to "
                "objects");
  static_assert(Order == memory_order::relaxed || Order == memory_order::acq_rel || Order == memory_order::seq_cst,
                "the default order of an atomic_ref is relaxed, acq_rel or seq_cst");
  using word = atomic_word<Type>;

public:
  using value_type = Type;
  static constexpr std::size_t required_alignment = alignof(Type);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order = read_order(Order);
  static constexpr memory_order default_write_order = write_order(Order);
  static constexpr memory_order default_read_modify_write_order = Order;
  static constexpr memory_scope default_scope = Scope;

  explicit atomic_object(Type &referenced) noexcept : object(&referenced) {}
  atomic_object(const atomic_object &) noexcept = default;
  atomic_object &operator=(const atomic_object &) = delete;

  bool is_lock_free() const noexcept { return true; }

  void store(Type operand, memory_order order = default_write_order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host)
      __atomic_store(object, &operand, __ATOMIC_SEQ_CST);
    else
      atomic_store({Space, order, scope}, as<word>(), __builtin_bit_cast(word, operand));
  }
  Type load(memory_order order = default_read_order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host) {
      Type seen;
      __atomic_load(object, &seen, __ATOMIC_SEQ_CST);
      return seen;
    }
    return __builtin_bit_cast(Type, atomic_load({Space, order, scope}, as<word>()));
  }
  Type exchange(Type operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host) {
      Type seen;
      __atomic_exchange(object, &operand, &seen, __ATOMIC_SEQ_CST);
      return seen;
    }
    return __builtin_bit_cast(Type,
                              atomic_exchange({Space, order, scope}, as<word>(), __builtin_bit_cast(word, operand)));
  }
  operator Type() const noexcept { return load(); }
  Type operator=(Type desired) const noexcept {
    store(desired);
    return desired;
  }

#define SINTER_COMPARE_EXCHANGE(strength, is_weak)                                                                   \
  bool compare_exchange_##strength(Type &expected, Type desired, memory_order success, memory_order failure,         \
                                   memory_scope scope = Scope) const noexcept {                                      \
    if (__acpp_sscp_is_host)                                                                                         \
      return __atomic_compare_exchange(object, &expected, &desired, is_weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    word seen = __builtin_bit_cast(word, expected);                                                                  \
    const bool done = atomic_exchange_##strength({Space, success, scope}, failure, as<word>(), &seen,                \
                                                 __builtin_bit_cast(word, desired));                                 \
    if (!done)                                                                                                       \
      expected = __builtin_bit_cast(Type, seen);                                                                     \
    return done;                                                                                                     \
  }                                                                                                                  \
  bool compare_exchange_##strength(Type &expected, Type desired, memory_order order = Order,                         \
                                   memory_scope scope = Scope) const noexcept {                                      \
    return compare_exchange_##strength(expected, desired, order, read_order(order), scope);                          \
  }
  SINTER_COMPARE_EXCHANGE(weak, true)
  SINTER_COMPARE_EXCHANGE(strong, false)
#undef SINTER_COMPARE_EXCHANGE

protected:
  template <class Another> Another *as() const noexcept { return reinterpret_cast<Another *>(object); }
  template <class Change> Type on_host(const Change &change) const noexcept { return host_update(object, change); }

private:
  Type *object;
};

// `next` computes the new value from the old one, `seen`.
#define SINTER_FETCH(operation, type, next)                                                                          \
  Type fetch_##operation(Type operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {      \
    if (__acpp_sscp_is_host)                                                                                         \
      return this->on_host([operand](Type seen) { return static_cast<Type>(next); });                                \
    return static_cast<Type>(atomic_fetch_##operation({Space, order, scope}, this->template as<type>(),              \
                                                   static_cast<type>(operand)));                                     \
  }

// Integers and floating-point numbers.
template <class Type, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_arithmetic : public atomic_object<Type, Order, Scope, Space> {
  using base = atomic_object<Type, Order, Scope, Space>;
  using number = atomic_number<Type>;

public:
  using difference_type = Type;
  using base::base;
  using base::operator=;

  SINTER_FETCH(add, number, wrapping(seen) + wrapping(operand))
  SINTER_FETCH(sub, number, wrapping(seen) - wrapping(operand))
  SINTER_FETCH(min, number, operand < seen ? operand : seen)
  SINTER_FETCH(max, number, seen < operand ? operand : seen)
  Type operator+=(Type operand) const noexcept {
    return static_cast<Type>(wrapping(fetch_add(operand)) + wrapping(operand));
  }
  Type operator-=(Type operand) const noexcept {
    return static_cast<Type>(wrapping(fetch_sub(operand)) - wrapping(operand));
  }

private:
  // Overflow wraps, also for signed types.
  static constexpr auto wrapping(Type value) noexcept {
    if constexpr (std::is_integral_v<Type>)
      return static_cast<std::make_unsigned_t<Type>>(value);
    else
      return value;
  }
};

template <class Type, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_integer : public atomic_arithmetic<Type, Order, Scope, Space> {
  using base = atomic_arithmetic<Type, Order, Scope, Space>;
  using word = atomic_word<Type>;

public:
  using base::base;
  using base::operator=;

  SINTER_FETCH(and, word, seen & operand)
  SINTER_FETCH(or, word, seen | operand)
  SINTER_FETCH(xor, word, seen ^ operand)
  Type operator++(int) const noexcept { return this->fetch_add(1); }
  Type operator--(int) const noexcept { return this->fetch_sub(1); }
  Type operator++() const noexcept { return *this += 1; }
  Type operator--() const noexcept { return *this -= 1; }
  Type operator&=(Type operand) const noexcept { return static_cast<Type>(fetch_and(operand) & operand); }
  Type operator|=(Type operand) const noexcept { return static_cast<Type>(fetch_or(operand) | operand); }
  Type operator^=(Type operand) const noexcept { return static_cast<Type>(fetch_xor(operand) ^ operand); }
};

#undef SINTER_FETCH

// half and bfloat16, by exchanges of 16 bits.
template <class Type, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_short_float : public atomic_object<Type, Order, Scope, Space> {
  using base = atomic_object<Type, Order, Scope, Space>;

public:
  using difference_type = Type;
  using base::base;
  using base::operator=;

#define SINTER_FETCH(operation, next)                                                                                \
  Type fetch_##operation(Type operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {      \
    return update([operand](Type seen) -> Type { return next; }, order, scope);                                      \
  }
  SINTER_FETCH(add, seen + operand)
  SINTER_FETCH(sub, seen - operand)
  SINTER_FETCH(min, operand < seen ? operand : seen)
  SINTER_FETCH(max, seen < operand ? operand : seen)
#undef SINTER_FETCH
  Type operator+=(Type operand) const noexcept { return fetch_add(operand) + operand; }
  Type operator-=(Type operand) const noexcept { return fetch_sub(operand) - operand; }

private:
  template <class Change> Type update(const Change &change, memory_order order, memory_scope scope) const noexcept {
    if (__acpp_sscp_is_host)
      return this->on_host(change);
    Type seen = this->load(memory_order::relaxed, scope);
    while (!this->compare_exchange_weak(seen, change(seen), order, memory_order::relaxed, scope)) {
    }
    return seen;
  }
};

template <class Type, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_pointer : public atomic_object<Type, Order, Scope, Space> {
  using base = atomic_object<Type, Order, Scope, Space>;

public:
  using difference_type = std::ptrdiff_t;
  using base::base;
  using base::operator=;

  Type fetch_add(difference_type operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host)
      return this->on_host([operand](Type seen) { return seen + operand; });
    return __builtin_bit_cast(Type, atomic_fetch_add({Space, order, scope}, this->template as<long long>(),
                                                  bytes(operand)));
  }
  Type fetch_sub(difference_type operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host)
      return this->on_host([operand](Type seen) { return seen - operand; });
    return __builtin_bit_cast(Type, atomic_fetch_sub({Space, order, scope}, this->template as<long long>(),
                                                  bytes(operand)));
  }
  Type operator++(int) const noexcept { return fetch_add(1); }
  Type operator--(int) const noexcept { return fetch_sub(1); }
  Type operator++() const noexcept { return *this += 1; }
  Type operator--() const noexcept { return *this -= 1; }
  Type operator+=(difference_type operand) const noexcept { return fetch_add(operand) + operand; }
  Type operator-=(difference_type operand) const noexcept { return fetch_sub(operand) - operand; }

private:
  static constexpr long long bytes(difference_type elements) noexcept {
    return elements * static_cast<long long>(sizeof(std::remove_pointer_t<Type>));
  }
};

template <class Type, memory_order Order, memory_scope Scope, access::address_space Space>
using atomic_operations =
    std::conditional_t<std::is_integral_v<Type>, atomic_integer<Type, Order, Scope, Space>,
                       std::conditional_t<std::is_floating_point_v<Type>, atomic_arithmetic<Type, Order, Scope, Space>,
                                          std::conditional_t<is_short_float<Type>,
                                                             atomic_short_float<Type, Order, Scope, Space>,
                                                             atomic_pointer<Type, Order, Scope, Space>>>>;

} // namespace detail

template <class Type, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space AddressSpace = access::address_space::generic_space>
class atomic_ref : public detail::atomic_operations<Type, DefaultOrder, DefaultScope, AddressSpace> {
  using base = detail::atomic_operations<Type, DefaultOrder, DefaultScope, AddressSpace>;

public:
  using base::base;
  using base::operator=;
};

} // namespace sycl

#endif
