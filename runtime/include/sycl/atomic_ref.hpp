// atomic_ref: atomic operations on an object that lies in memory.
//
// In device code they are calls of the device interface, which keep order, scope and address space until the
// translator knows the target. In host code they are the compiler's, sequentially consistent whatever order is asked
// for: that is never too weak, and costs x86 only a store. An operation is lock-free for every type that is accepted.
#ifndef SYCL_ATOMIC_REF_HPP
#define SYCL_ATOMIC_REF_HPP

#include "detail/atomics.hpp"

namespace sycl {
namespace detail {

template <class T>
inline constexpr bool is_atomic_number =
    (std::is_integral_v<T> || std::is_floating_point_v<T>) && (sizeof(T) == 4 || sizeof(T) == 8);
// Replaces the value by `change` of it, in host code. Returns the one before.
template <class T, class Change> inline T host_update(T *object, const Change &change) noexcept {
  T seen, next;
  __atomic_load(object, &seen, __ATOMIC_SEQ_CST);
  do
    next = change(seen);
  while (!__atomic_compare_exchange(object, &seen, &next, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return seen;
}

template <class T>
inline constexpr bool is_atomic_pointer = std::is_pointer_v<T> && std::is_object_v<std::remove_pointer_t<T>>;

// What every atomic_ref can do.
template <class T, memory_order Order, memory_scope Scope, access::address_space Space> class atomic_object {
  static_assert((is_atomic_number<T> && !std::is_const_v<T>) || is_atomic_pointer<T>,
                "atomic_ref takes int, long, long long, their unsigned forms, float, double and pointers to objects");
  static_assert(Order == memory_order::relaxed || Order == memory_order::acq_rel || Order == memory_order::seq_cst,
                "the default order of an atomic_ref is relaxed, acq_rel or seq_cst");
  using word = atomic_word<T>;

public:
  using value_type = T;
  static constexpr std::size_t required_alignment = alignof(T);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order = read_order(Order);
  static constexpr memory_order default_write_order = write_order(Order);
  static constexpr memory_order default_read_modify_write_order = Order;
  static constexpr memory_scope default_scope = Scope;

  explicit atomic_object(T &referenced) noexcept : object(&referenced) {}
  atomic_object(const atomic_object &) noexcept = default;
  atomic_object &operator=(const atomic_object &) = delete;

  bool is_lock_free() const noexcept { return true; }

  void store(T operand, memory_order order = default_write_order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host)
      __atomic_store(object, &operand, __ATOMIC_SEQ_CST);
    else
      atomic_store({Space, order, scope}, as<word>(), __builtin_bit_cast(word, operand));
  }
  T load(memory_order order = default_read_order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host) {
      T seen;
      __atomic_load(object, &seen, __ATOMIC_SEQ_CST);
      return seen;
    }
    return __builtin_bit_cast(T, atomic_load({Space, order, scope}, as<word>()));
  }
  T exchange(T operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host) {
      T seen;
      __atomic_exchange(object, &operand, &seen, __ATOMIC_SEQ_CST);
      return seen;
    }
    return __builtin_bit_cast(T, atomic_exchange({Space, order, scope}, as<word>(), __builtin_bit_cast(word, operand)));
  }
  operator T() const noexcept { return load(); }
  T operator=(T desired) const noexcept {
    store(desired);
    return desired;
  }

#define SINTER_COMPARE_EXCHANGE(strength, is_weak)                                                                   \
  bool compare_exchange_##strength(T &expected, T desired, memory_order success, memory_order failure,               \
                                   memory_scope scope = Scope) const noexcept {                                      \
    if (__acpp_sscp_is_host)                                                                                         \
      return __atomic_compare_exchange(object, &expected, &desired, is_weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    word seen = __builtin_bit_cast(word, expected);                                                                  \
    const bool done = atomic_exchange_##strength({Space, success, scope}, failure, as<word>(), &seen,                \
                                                 __builtin_bit_cast(word, desired));                                 \
    if (!done)                                                                                                       \
      expected = __builtin_bit_cast(T, seen);                                                                        \
    return done;                                                                                                     \
  }                                                                                                                  \
  bool compare_exchange_##strength(T &expected, T desired, memory_order order = Order, memory_scope scope = Scope)   \
      const noexcept {                                                                                               \
    return compare_exchange_##strength(expected, desired, order, read_order(order), scope);                          \
  }
  SINTER_COMPARE_EXCHANGE(weak, true)
  SINTER_COMPARE_EXCHANGE(strong, false)
#undef SINTER_COMPARE_EXCHANGE

protected:
  template <class U> U *as() const noexcept { return reinterpret_cast<U *>(object); }
  template <class Change> T on_host(const Change &change) const noexcept { return host_update(object, change); }

private:
  T *object;
};

// `next` is what the value `seen` becomes.
#define SINTER_FETCH(operation, type, next)                                                                          \
  T fetch_##operation(T operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {            \
    if (__acpp_sscp_is_host)                                                                                         \
      return this->on_host([operand](T seen) { return static_cast<T>(next); });                                      \
    return static_cast<T>(atomic_fetch_##operation({Space, order, scope}, this->template as<type>(),                 \
                                                   static_cast<type>(operand)));                                     \
  }

// Integers and floating-point numbers.
template <class T, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_arithmetic : public atomic_object<T, Order, Scope, Space> {
  using base = atomic_object<T, Order, Scope, Space>;
  using number = atomic_number<T>;

public:
  using difference_type = T;
  using base::base;
  using base::operator=;

  SINTER_FETCH(add, number, wrapping(seen) + wrapping(operand))
  SINTER_FETCH(sub, number, wrapping(seen) - wrapping(operand))
  SINTER_FETCH(min, number, operand < seen ? operand : seen)
  SINTER_FETCH(max, number, seen < operand ? operand : seen)
  T operator+=(T operand) const noexcept { return static_cast<T>(wrapping(fetch_add(operand)) + wrapping(operand)); }
  T operator-=(T operand) const noexcept { return static_cast<T>(wrapping(fetch_sub(operand)) - wrapping(operand)); }

private:
  // Overflow wraps, also for signed types.
  static constexpr auto wrapping(T value) noexcept {
    if constexpr (std::is_integral_v<T>)
      return static_cast<std::make_unsigned_t<T>>(value);
    else
      return value;
  }
};

template <class T, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_integer : public atomic_arithmetic<T, Order, Scope, Space> {
  using base = atomic_arithmetic<T, Order, Scope, Space>;
  using word = atomic_word<T>;

public:
  using base::base;
  using base::operator=;

  SINTER_FETCH(and, word, seen & operand)
  SINTER_FETCH(or, word, seen | operand)
  SINTER_FETCH(xor, word, seen ^ operand)
  T operator++(int) const noexcept { return this->fetch_add(1); }
  T operator--(int) const noexcept { return this->fetch_sub(1); }
  T operator++() const noexcept { return *this += 1; }
  T operator--() const noexcept { return *this -= 1; }
  T operator&=(T operand) const noexcept { return static_cast<T>(fetch_and(operand) & operand); }
  T operator|=(T operand) const noexcept { return static_cast<T>(fetch_or(operand) | operand); }
  T operator^=(T operand) const noexcept { return static_cast<T>(fetch_xor(operand) ^ operand); }
};

#undef SINTER_FETCH

template <class T, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_pointer : public atomic_object<T, Order, Scope, Space> {
  using base = atomic_object<T, Order, Scope, Space>;

public:
  using difference_type = std::ptrdiff_t;
  using base::base;
  using base::operator=;

  T fetch_add(difference_type operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host)
      return this->on_host([operand](T seen) { return seen + operand; });
    return __builtin_bit_cast(T, atomic_fetch_add({Space, order, scope}, this->template as<long long>(),
                                                  bytes(operand)));
  }
  T fetch_sub(difference_type operand, memory_order order = Order, memory_scope scope = Scope) const noexcept {
    if (__acpp_sscp_is_host)
      return this->on_host([operand](T seen) { return seen - operand; });
    return __builtin_bit_cast(T, atomic_fetch_sub({Space, order, scope}, this->template as<long long>(),
                                                  bytes(operand)));
  }
  T operator++(int) const noexcept { return fetch_add(1); }
  T operator--(int) const noexcept { return fetch_sub(1); }
  T operator++() const noexcept { return *this += 1; }
  T operator--() const noexcept { return *this -= 1; }
  T operator+=(difference_type operand) const noexcept { return fetch_add(operand) + operand; }
  T operator-=(difference_type operand) const noexcept { return fetch_sub(operand) - operand; }

private:
  static constexpr long long bytes(difference_type elements) noexcept {
    return elements * static_cast<long long>(sizeof(std::remove_pointer_t<T>));
  }
};

template <class T, memory_order Order, memory_scope Scope, access::address_space Space>
using atomic_operations =
    std::conditional_t<std::is_integral_v<T>, atomic_integer<T, Order, Scope, Space>,
                       std::conditional_t<std::is_floating_point_v<T>, atomic_arithmetic<T, Order, Scope, Space>,
                                          atomic_pointer<T, Order, Scope, Space>>>;

} // namespace detail

template <class T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space AddressSpace = access::address_space::generic_space>
class atomic_ref : public detail::atomic_operations<T, DefaultOrder, DefaultScope, AddressSpace> {
  using base = detail::atomic_operations<T, DefaultOrder, DefaultScope, AddressSpace>;

public:
  using base::base;
  using base::operator=;
};

} // namespace sycl

#endif
