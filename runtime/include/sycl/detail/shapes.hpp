// Element types and numbers of elements: of vec, of views of some of its elements, and of marray.
//
// In: any type. Out: `plain_of`, the vec or marray that has its elements by value, if it is one of
// these or derives from one. *Invariant:* operators and functions on elements are chosen by these
// traits alone; types of elements need nothing but their own operators and functions.
#ifndef SYCL_DETAIL_SHAPES_HPP
#define SYCL_DETAIL_SHAPES_HPP

#include "config.hpp"

namespace sycl {

template <class Type, int Count> class vec;
template <class Type, std::size_t Count> class marray;
class half;

namespace detail {

// The view of these elements of Whole, which is a vec or a const vec.
template <class Whole, int... Index> class swizzled;

template <class Type> struct is_real_type : std::false_type {};
template <> struct is_real_type<float> : std::true_type {};
template <> struct is_real_type<double> : std::true_type {};
template <> struct is_real_type<half> : std::true_type {};
// Numbers on which the math functions are defined.
template <class Type> inline constexpr bool is_real = is_real_type<Type>::value;
template <class Type> inline constexpr bool is_integer = std::is_integral_v<Type> && !std::is_same_v<Type, bool>;
template <class Type> inline constexpr bool is_scalar_type = is_real<Type> || std::is_arithmetic_v<Type>;

// Integers of a size in bytes: the result of comparing vectors, and the bits of a number.
template <std::size_t Size> struct mask;
template <> struct mask<1> { using type = std::int8_t; };
template <> struct mask<2> { using type = std::int16_t; };
template <> struct mask<4> { using type = std::int32_t; };
template <> struct mask<8> { using type = std::int64_t; };

// A vec or marray, the type with bool or masks as elements, and that with other elements.
struct no_shape {
  using plain = void;
  using element = void;
  static constexpr int count = 0;
  static constexpr bool is_vec = false;
};
template <class Type, int Count> struct vec_shape {
  using plain = vec<Type, Count>;
  using element = Type;
  using truth = vec<typename mask<sizeof(Type)>::type, Count>;
  template <class Other> using with = vec<Other, Count>;
  static constexpr int count = Count;
  static constexpr bool is_vec = true;
  // The value of a true element.
  static constexpr int yes = -1;
};
template <class Type, std::size_t Count> struct marray_shape {
  using plain = marray<Type, Count>;
  using element = Type;
  using truth = marray<bool, Count>;
  template <class Other> using with = marray<Other, Count>;
  static constexpr int count = static_cast<int>(Count);
  static constexpr bool is_vec = false;
  static constexpr int yes = 1;
};

no_shape find_shape(const volatile void *);
template <class Type, int Count> vec_shape<Type, Count> find_shape(const vec<Type, Count> *);
template <class Type, int Count, int... Index>
vec_shape<Type, sizeof...(Index)> find_shape(const swizzled<vec<Type, Count>, Index...> *);
template <class Type, int Count, int... Index>
vec_shape<Type, sizeof...(Index)> find_shape(const swizzled<const vec<Type, Count>, Index...> *);
template <class Type, std::size_t Count> marray_shape<Type, Count> find_shape(const marray<Type, Count> *);

// A class may derive from vec. Other types are not looked at.
template <class Type, bool = std::is_class_v<Type>> struct shape : no_shape {};
template <class Type> struct shape<Type, true> : decltype(find_shape(static_cast<Type *>(nullptr))) {};

template <class Type> inline constexpr bool has_shape = shape<Type>::count != 0;
template <class Type> using plain_of = std::enable_if_t<has_shape<Type>, typename shape<Type>::plain>;
template <class Type> using shape_element = typename shape<Type>::element;

template <class Type> struct is_swizzled : std::false_type {};
template <class Whole, int... Index> struct is_swizzled<swizzled<Whole, Index...>> : std::true_type {};

// The type to which a vector converts: that of its only element, by a function that is no template,
// so that a standard conversion may follow. Longer ones convert to a type that nothing needs.
struct no_element;
template <class Type, std::size_t Count> using single = std::conditional_t<Count == 1, Type, no_element>;

// Predicates of elements.
template <class Type> struct real_element : is_real_type<Type> {};
template <class Type> struct integer_element : std::bool_constant<is_integer<Type>> {};
template <class Type> struct scalar_element : std::bool_constant<is_scalar_type<Type>> {};
template <class Type>
struct vote_element
    : std::bool_constant<std::is_integral_v<Type> && (std::is_signed_v<Type> || std::is_same_v<Type, bool>)> {};
template <class Type> struct choice_element : std::is_integral<Type> {};
template <class Type> struct int_element : std::is_same<Type, int> {};
template <class Type> struct float_element : std::is_same<Type, float> {};

// The common vec or marray of all these types, if the predicate holds for its elements.
template <template <class> class Predicate, class First, class... Rest>
using common = std::enable_if_t<has_shape<First> && Predicate<shape_element<First>>::value &&
                                    (true && ... &&
                                     std::is_same_v<typename shape<First>::plain, typename shape<Rest>::plain>),
                                typename shape<First>::plain>;

} // namespace detail
} // namespace sycl

#endif
