// multi_ptr: a pointer that carries its address space in its type.
//
// All pointers of a program are generic ones, decorated or not: the translator infers the address spaces of a target
// that has some. The class therefore holds a plain pointer, and its three decorations differ in interface only.
// Whether a pointer lies in the address space it is cast to is not checked.
#ifndef SYCL_MULTI_PTR_HPP
#define SYCL_MULTI_PTR_HPP

#include "memory.hpp"

#include <iterator>

namespace sycl {

template <class T, int Dimensions = 1> class local_accessor;

template <class T> struct remove_decoration { using type = T; };
template <class T> using remove_decoration_t = typename remove_decoration<T>::type;

template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
class multi_ptr;

namespace detail {

// May a pointer to From become one to To without a cast: the same type, more const, or void.
template <class From, class To>
inline constexpr bool converts_pointer =
    (std::is_same_v<std::remove_const_t<From>, std::remove_const_t<To>> || std::is_void_v<To>) &&
    (std::is_const_v<To> || !std::is_const_v<From>);

template <class T, access::address_space Space> class multi_ptr_base {
  using space = access::address_space;

public:
  static constexpr space address_space = Space;
  using value_type = T;
  using difference_type = std::ptrdiff_t;

  constexpr multi_ptr_base() noexcept = default;
  constexpr multi_ptr_base(T *object) noexcept : target(object) {}

  constexpr T *get() const noexcept { return target; }
  constexpr T *get_raw() const noexcept { return target; }
  constexpr T *get_decorated() const noexcept { return target; }
  constexpr operator T *() const noexcept { return target; }

  template <class U = T, enable_if<!std::is_void_v<U>> = 0> constexpr U *operator->() const noexcept { return target; }

  // The same address space, in any decoration.
  template <class U, access::decorated D, enable_if<converts_pointer<T, U>> = 0>
  constexpr operator multi_ptr<U, Space, D>() const noexcept {
    return multi_ptr<U, Space, D>(static_cast<U *>(target));
  }
  // From the generic address space to a named one.
  template <class U, space S, access::decorated D,
            enable_if<Space == space::generic_space && S != Space && S != space::constant_space &&
                      !std::is_void_v<U> && converts_pointer<T, U>> = 0>
  constexpr explicit operator multi_ptr<U, S, D>() const noexcept {
    return multi_ptr<U, S, D>(static_cast<U *>(target));
  }
  // From void to an object type.
  template <class U, access::decorated D,
            enable_if<std::is_void_v<T> && !std::is_void_v<U> && (std::is_const_v<U> || !std::is_const_v<T>)> = 0>
  constexpr explicit operator multi_ptr<U, Space, D>() const noexcept {
    return multi_ptr<U, Space, D>(static_cast<U *>(target));
  }

  // A hint that no device needs.
  void prefetch(std::size_t) const noexcept {}

protected:
  T *target = nullptr;
};

template <class T, access::address_space Space, class U>
inline constexpr bool points_into_accessor =
    (Space == access::address_space::local_space || Space == access::address_space::generic_space) &&
    converts_pointer<U, T>;

} // namespace detail

// The constructors take a pointer by deduction, so that a multi_ptr, which converts to a pointer, is never mistaken
// for one.
#define SINTER_MULTI_PTR_MEMBERS(explicitness)                                                                       \
  constexpr multi_ptr() noexcept = default;                                                                          \
  constexpr multi_ptr(std::nullptr_t) noexcept {}                                                                    \
  template <class U, detail::enable_if<std::is_convertible_v<U *, T *>> = 0>                                         \
  constexpr explicitness multi_ptr(U *object) noexcept : base(object) {}                                             \
  template <class U, int Dimensions, detail::enable_if<detail::points_into_accessor<T, Space, U>> = 0>               \
  multi_ptr(const local_accessor<U, Dimensions> &accessor) noexcept : base(accessor.sinter_address()) {}             \
  /* Any address space becomes the generic one. */                                                                   \
  template <access::address_space S, access::decorated D,                                                            \
            detail::enable_if<Space == access::address_space::generic_space && S != Space &&                         \
                              S != access::address_space::constant_space> = 0>                                       \
  constexpr multi_ptr &operator=(const multi_ptr<T, S, D> &other) noexcept {                                         \
    this->target = other.get();                                                                                      \
    return *this;                                                                                                    \
  }

template <class T, access::address_space Space, access::decorated Decorated>
class multi_ptr : public detail::multi_ptr_base<T, Space> {
  using base = detail::multi_ptr_base<T, Space>;

public:
  static constexpr bool is_decorated = Decorated == access::decorated::yes;
  using pointer = T *;
  using reference = std::add_lvalue_reference_t<T>;
  using iterator_category = std::random_access_iterator_tag;

  SINTER_MULTI_PTR_MEMBERS(explicit)
};

// The interface of SYCL 1.2.1: pointers convert to it.
template <class T, access::address_space Space>
class multi_ptr<T, Space, access::decorated::legacy> : public detail::multi_ptr_base<T, Space> {
  using base = detail::multi_ptr_base<T, Space>;

public:
  using element_type = T;
  using pointer_t = T *;
  using const_pointer_t = const T *;
  using reference_t = std::add_lvalue_reference_t<T>;
  using const_reference_t = std::add_lvalue_reference_t<const T>;
  using iterator_category = std::random_access_iterator_tag;

  SINTER_MULTI_PTR_MEMBERS()
};

#undef SINTER_MULTI_PTR_MEMBERS

template <class T, int Dimensions>
multi_ptr(local_accessor<T, Dimensions>)
    -> multi_ptr<T, access::address_space::local_space, access::decorated::no>;

#define SINTER_POINTER_TEMPLATE template <class T, access::address_space S, access::decorated D>
#define SINTER_POINTER multi_ptr<T, S, D>

// Templates rather than friends: a multi_ptr and a plain pointer are compared as plain pointers.
#define SINTER_POINTER_COMPARISON(op)                                                                                \
  SINTER_POINTER_TEMPLATE constexpr bool operator op(const SINTER_POINTER &a, const SINTER_POINTER &b) noexcept {    \
    return a.get() op b.get();                                                                                       \
  }                                                                                                                  \
  SINTER_POINTER_TEMPLATE constexpr bool operator op(const SINTER_POINTER &a, std::nullptr_t) noexcept {             \
    return a.get() op static_cast<T *>(nullptr);                                                                     \
  }                                                                                                                  \
  SINTER_POINTER_TEMPLATE constexpr bool operator op(std::nullptr_t, const SINTER_POINTER &b) noexcept {             \
    return static_cast<T *>(nullptr) op b.get();                                                                     \
  }
SINTER_POINTER_COMPARISON(==)
SINTER_POINTER_COMPARISON(!=)
SINTER_POINTER_COMPARISON(<)
SINTER_POINTER_COMPARISON(>)
SINTER_POINTER_COMPARISON(<=)
SINTER_POINTER_COMPARISON(>=)
#undef SINTER_POINTER_COMPARISON

SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER operator+(const SINTER_POINTER &a, std::ptrdiff_t n) noexcept {
  return SINTER_POINTER(a.get() + n);
}
SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER operator-(const SINTER_POINTER &a, std::ptrdiff_t n) noexcept {
  return SINTER_POINTER(a.get() - n);
}
SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER &operator+=(SINTER_POINTER &a, std::ptrdiff_t n) noexcept {
  return a = a + n;
}
SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER &operator-=(SINTER_POINTER &a, std::ptrdiff_t n) noexcept {
  return a = a - n;
}
SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER &operator++(SINTER_POINTER &a) noexcept { return a += 1; }
SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER &operator--(SINTER_POINTER &a) noexcept { return a -= 1; }
SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER operator++(SINTER_POINTER &a, int) noexcept {
  const SINTER_POINTER before = a;
  a += 1;
  return before;
}
SINTER_POINTER_TEMPLATE constexpr SINTER_POINTER operator--(SINTER_POINTER &a, int) noexcept {
  const SINTER_POINTER before = a;
  a -= 1;
  return before;
}

#undef SINTER_POINTER
#undef SINTER_POINTER_TEMPLATE

#define SINTER_POINTER_ALIASES(name, space)                                                                          \
  template <class T, access::decorated Decorated = access::decorated::legacy>                                        \
  using name##_ptr = multi_ptr<T, access::address_space::space, Decorated>;                                          \
  template <class T> using raw_##name##_ptr = multi_ptr<T, access::address_space::space, access::decorated::no>;     \
  template <class T>                                                                                                 \
  using decorated_##name##_ptr = multi_ptr<T, access::address_space::space, access::decorated::yes>;
SINTER_POINTER_ALIASES(global, global_space)
SINTER_POINTER_ALIASES(local, local_space)
SINTER_POINTER_ALIASES(private, private_space)
SINTER_POINTER_ALIASES(generic, generic_space)
#undef SINTER_POINTER_ALIASES

template <class T>
using constant_ptr = multi_ptr<T, access::address_space::constant_space, access::decorated::legacy>;

template <access::address_space Space, access::decorated Decorated, class T>
constexpr multi_ptr<T, Space, Decorated> address_space_cast(T *object) noexcept {
  return multi_ptr<T, Space, Decorated>(object);
}
template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
constexpr multi_ptr<T, Space, Decorated> make_ptr(T *object) noexcept {
  return multi_ptr<T, Space, Decorated>(object);
}

} // namespace sycl

#endif
