// multi_ptr: a pointer with its address space in its type.
//
// All pointers of a program are generic, decorated or not: the translator infers the address spaces
// of a target that has several. The class therefore holds a plain pointer, and its three
// decorations differ in interface only. A cast to an address space is not checked.
#ifndef SYCL_MULTI_PTR_HPP
#define SYCL_MULTI_PTR_HPP

#include "memory.hpp"

#include <iterator>

namespace sycl {

template <class Type, int Dimensions = 1> class local_accessor;
template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder> class accessor;

template <class Type> struct remove_decoration { using type = Type; };
template <class Type> using remove_decoration_t = typename remove_decoration<Type>::type;

template <class Type, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
class multi_ptr;

namespace detail {

// True if a pointer to From converts to one to To without a cast: the same type, more const, or
// void.
template <class From, class To>
inline constexpr bool converts_pointer =
    (std::is_same_v<std::remove_const_t<From>, std::remove_const_t<To>> || std::is_void_v<To>) &&
    (std::is_const_v<To> || !std::is_const_v<From>);

template <class Type, access::address_space Space> class multi_ptr_base {
  using space = access::address_space;

public:
  static constexpr space address_space = Space;
  using value_type = Type;
  using difference_type = std::ptrdiff_t;

  constexpr multi_ptr_base() noexcept = default;
  constexpr multi_ptr_base(Type *object) noexcept : target(object) {}

  constexpr Type *get() const noexcept { return target; }
  constexpr Type *get_raw() const noexcept { return target; }
  constexpr Type *get_decorated() const noexcept { return target; }
  constexpr operator Type *() const noexcept { return target; }

  template <class Another = Type, enable_if<!std::is_void_v<Another>> = 0>
  constexpr Another *operator->() const noexcept {
    return target;
  }

  // The same address space, in any decoration.
  template <class Another, access::decorated Decorate, enable_if<converts_pointer<Type, Another>> = 0>
  constexpr operator multi_ptr<Another, Space, Decorate>() const noexcept {
    return multi_ptr<Another, Space, Decorate>(static_cast<Another *>(target));
  }
  // From the generic address space to a named one.
  template <class Another, space Place, access::decorated Decorate,
            enable_if<Space == space::generic_space && Place != Space && Place != space::constant_space &&
                      !std::is_void_v<Another> && converts_pointer<Type, Another>> = 0>
  constexpr explicit operator multi_ptr<Another, Place, Decorate>() const noexcept {
    return multi_ptr<Another, Place, Decorate>(static_cast<Another *>(target));
  }
  // From void to an object type.
  template <class Another, access::decorated Decorate,
            enable_if<std::is_void_v<Type> && !std::is_void_v<Another> &&
                      (std::is_const_v<Another> || !std::is_const_v<Type>)> = 0>
  constexpr explicit operator multi_ptr<Another, Space, Decorate>() const noexcept {
    return multi_ptr<Another, Space, Decorate>(static_cast<Another *>(target));
  }

  // A hint that has no effect on any device.
  void prefetch(std::size_t) const noexcept {}

protected:
  Type *target = nullptr;
};

template <class Type, access::address_space Space, class Another>
inline constexpr bool points_into_accessor =
    (Space == access::address_space::local_space || Space == access::address_space::generic_space) &&
    converts_pointer<Another, Type>;

// The elements of an accessor to a buffer are const if it only reads.
template <class Type, access::address_space Space, class Another, access_mode Mode, target Target>
inline constexpr bool points_into_buffer =
    (Target == target::device
         ? (Space == access::address_space::global_space || Space == access::address_space::generic_space)
         : Target == target::constant_buffer && Space == access::address_space::constant_space) &&
    converts_pointer<
        std::conditional_t<Mode == access_mode::read && Target == target::device, const Another, Another>, Type>;

} // namespace detail

// The constructors deduce the pointer type, so that a multi_ptr, which converts to a pointer, does
// not match.
#define SINTER_MULTI_PTR_MEMBERS(explicitness)                                                                       \
  constexpr multi_ptr() noexcept = default;                                                                          \
  constexpr multi_ptr(std::nullptr_t) noexcept {}                                                                    \
  template <class Another, detail::enable_if<std::is_convertible_v<Another *, Type *>> = 0>                          \
  constexpr explicitness multi_ptr(Another *object) noexcept : base(object) {}                                       \
  template <class Another, int Dimensions,                                                                           \
            detail::enable_if<detail::points_into_accessor<Type, Space, Another>> = 0>                               \
  multi_ptr(const local_accessor<Another, Dimensions> &accessor) noexcept : base(accessor.sinter_address()) {}       \
  template <class Another, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder,         \
            detail::enable_if<detail::points_into_buffer<Type, Space, Another, Mode, Target>> = 0>                   \
  multi_ptr(const accessor<Another, Dimensions, Mode, Target, Placeholder> &accessor) noexcept                       \
      : base(const_cast<Another *>(accessor.sinter_origin())) {}                                                     \
  /* Any address space becomes the generic one. */                                                                   \
  template <access::address_space Place, access::decorated Decorate,                                                 \
            detail::enable_if<Space == access::address_space::generic_space && Place != Space &&                     \
                              Place != access::address_space::constant_space> = 0>                                   \
  constexpr multi_ptr &operator=(const multi_ptr<Type, Place, Decorate> &other) noexcept {                           \
    this->target = other.get();                                                                                      \
    return *this;                                                                                                    \
  }

template <class Type, access::address_space Space, access::decorated Decorated>
class multi_ptr : public detail::multi_ptr_base<Type, Space> {
  using base = detail::multi_ptr_base<Type, Space>;

public:
  static constexpr bool is_decorated = Decorated == access::decorated::yes;
  using pointer = Type *;
  using reference = std::add_lvalue_reference_t<Type>;
  using iterator_category = std::random_access_iterator_tag;

  SINTER_MULTI_PTR_MEMBERS(explicit)
};

// The class of SYCL 1.2.1: pointers convert to it implicitly.
template <class Type, access::address_space Space>
class multi_ptr<Type, Space, access::decorated::legacy> : public detail::multi_ptr_base<Type, Space> {
  using base = detail::multi_ptr_base<Type, Space>;

public:
  using element_type = Type;
  using pointer_t = Type *;
  using const_pointer_t = const Type *;
  using reference_t = std::add_lvalue_reference_t<Type>;
  using const_reference_t = std::add_lvalue_reference_t<const Type>;
  using iterator_category = std::random_access_iterator_tag;

  SINTER_MULTI_PTR_MEMBERS()
};

#undef SINTER_MULTI_PTR_MEMBERS

template <class Type, int Dimensions>
multi_ptr(local_accessor<Type, Dimensions>)
    -> multi_ptr<Type, access::address_space::local_space, access::decorated::no>;
template <class Type, int Dimensions, access_mode Mode, access::placeholder Placeholder>
multi_ptr(accessor<Type, Dimensions, Mode, target::local, Placeholder>)
    -> multi_ptr<Type, access::address_space::local_space, access::decorated::no>;
template <class Type, int Dimensions, access_mode Mode, access::placeholder Placeholder>
multi_ptr(accessor<Type, Dimensions, Mode, target::device, Placeholder>)
    -> multi_ptr<std::conditional_t<Mode == access_mode::read, const Type, Type>, access::address_space::global_space,
                 access::decorated::no>;
template <class Type, int Dimensions, access::placeholder Placeholder>
multi_ptr(accessor<Type, Dimensions, access_mode::read, target::constant_buffer, Placeholder>)
    -> multi_ptr<const Type, access::address_space::constant_space, access::decorated::no>;

#define SINTER_POINTER_TEMPLATE template <class Type, access::address_space Place, access::decorated Decorate>
#define SINTER_POINTER multi_ptr<Type, Place, Decorate>

// Templates rather than friends: a multi_ptr and a plain pointer are compared as plain pointers.
#define SINTER_POINTER_COMPARISON(op)                                                                                \
  SINTER_POINTER_TEMPLATE constexpr bool operator op(const SINTER_POINTER &a, const SINTER_POINTER &b) noexcept {    \
    return a.get() op b.get();                                                                                       \
  }                                                                                                                  \
  SINTER_POINTER_TEMPLATE constexpr bool operator op(const SINTER_POINTER &a, std::nullptr_t) noexcept {             \
    return a.get() op static_cast<Type *>(nullptr);                                                                  \
  }                                                                                                                  \
  SINTER_POINTER_TEMPLATE constexpr bool operator op(std::nullptr_t, const SINTER_POINTER &b) noexcept {             \
    return static_cast<Type *>(nullptr) op b.get();                                                                  \
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
  template <class Type, access::decorated Decorated = access::decorated::legacy>                                     \
  using name##_ptr = multi_ptr<Type, access::address_space::space, Decorated>;                                       \
  template <class Type>                                                                                              \
  using raw_##name##_ptr = multi_ptr<Type, access::address_space::space, access::decorated::no>;                     \
  template <class Type>                                                                                              \
  using decorated_##name##_ptr = multi_ptr<Type, access::address_space::space, access::decorated::yes>;
SINTER_POINTER_ALIASES(global, global_space)
SINTER_POINTER_ALIASES(local, local_space)
SINTER_POINTER_ALIASES(private, private_space)
SINTER_POINTER_ALIASES(generic, generic_space)
#undef SINTER_POINTER_ALIASES

template <class Type>
using constant_ptr = multi_ptr<Type, access::address_space::constant_space, access::decorated::legacy>;

template <access::address_space Space, access::decorated Decorated, class Type>
constexpr multi_ptr<Type, Space, Decorated> address_space_cast(Type *object) noexcept {
  return multi_ptr<Type, Space, Decorated>(object);
}
template <class Type, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
constexpr multi_ptr<Type, Space, Decorated> make_ptr(Type *object) noexcept {
  return multi_ptr<Type, Space, Decorated>(object);
}

} // namespace sycl

#endif
