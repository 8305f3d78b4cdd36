// Conditions under which an algorithm can run on a device.
//
// In: types of iterators, callables and values. Out: constants. Whatever is not known to be safe is
// left to the standard library: a proxy such as that of vector<bool> shares bytes between elements.
#ifndef SINTER_STDPAR_TRAITS_HPP
#define SINTER_STDPAR_TRAITS_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

// The iterators of <deque>, which this header does not need.
namespace std {
_GLIBCXX_BEGIN_NAMESPACE_CONTAINER
template <typename Type, typename Reference, typename Pointer> struct _Deque_iterator;
_GLIBCXX_END_NAMESPACE_CONTAINER
// The macro names the namespace as seen from std.
namespace __sinter_containers = _GLIBCXX_STD_C;
} // namespace std

namespace sinter::stdpar {

// A default of a template parameter: the template is considered only if all of these hold.
template <class... Conditions> using require = std::enable_if_t<(Conditions::value && ...)>;

// True if the bytes of an object are a copy. An assignment need not be trivial: that of
// std::tuple is not. Some iterators have constructors that copy all members and do no more.
template <class Type>
inline constexpr bool is_copyable_v =
    std::is_trivially_copy_constructible_v<Type> && std::is_trivially_destructible_v<Type>;
template <class Iterator>
inline constexpr bool is_copyable_v<std::reverse_iterator<Iterator>> = is_copyable_v<Iterator>;
template <class Type, class Reference, class Pointer>
inline constexpr bool is_copyable_v<std::__sinter_containers::_Deque_iterator<Type, Reference, Pointer>> = true;
template <class Type> struct is_copyable : std::bool_constant<is_copyable_v<Type>> {};

// A value that may be kept in memory for intermediate results: it is copied and assigned without
// effects elsewhere. Pairs and tuples assign member by member, so they are not trivially copyable.
template <class Type>
struct is_value : std::bool_constant<std::is_trivially_copyable_v<Type> && std::is_copy_constructible_v<Type> &&
                                     std::is_copy_assignable_v<Type>> {};
template <class First, class Second>
struct is_value<std::pair<First, Second>>
    : std::bool_constant<std::is_object_v<First> && std::is_object_v<Second> && is_value<First>::value &&
                         is_value<Second>::value && is_copyable_v<std::pair<First, Second>>> {};
template <class... Types>
struct is_value<std::tuple<Types...>>
    : std::bool_constant<((std::is_object_v<Types> && is_value<Types>::value) && ...) &&
                         is_copyable_v<std::tuple<Types...>>> {};

// The traits of C++17 do not know those iterators of C++20 whose differences are no standard
// integers, such as those of views::iota over std::size_t.
#if defined(__cpp_lib_concepts)
template <class Iterator> using value_of = std::iter_value_t<Iterator>;
template <class Iterator> using difference_of = std::iter_difference_t<Iterator>;
#else
template <class Iterator> using value_of = typename std::iterator_traits<Iterator>::value_type;
template <class Iterator> using difference_of = typename std::iterator_traits<Iterator>::difference_type;
#endif
template <class Iterator> using reference_of = decltype(*std::declval<Iterator &>());

template <class Reference> inline constexpr bool is_tuple_of_references = false;
template <class... Types> inline constexpr bool is_tuple_of_references<std::tuple<Types &...>> = true;
template <class First, class Second> inline constexpr bool is_tuple_of_references<std::pair<First &, Second &>> = true;

// True if writing through the reference changes no other element.
template <class Reference>
inline constexpr bool is_writable_v = std::is_reference_v<Reference> || is_tuple_of_references<Reference>;

// Category alone is not enough: that of views::iota is input_iterator_tag, though C++20 says it is
// random access.
template <class Iterator, class = void> inline constexpr bool is_random_access_v = false;
template <class Iterator>
inline constexpr bool
    is_random_access_v<Iterator, std::void_t<typename std::iterator_traits<Iterator>::iterator_category>> =
#if defined(__cpp_lib_concepts)
        std::random_access_iterator<Iterator> ||
#endif
        std::is_base_of_v<std::random_access_iterator_tag, typename std::iterator_traits<Iterator>::iterator_category>;

template <class Iterator, class = void> inline constexpr bool is_readable_v = false;
template <class Iterator>
inline constexpr bool
    is_readable_v<Iterator, std::enable_if_t<is_random_access_v<Iterator> && is_copyable_v<Iterator>>> =
        is_writable_v<reference_of<Iterator>> ||
        std::is_same_v<std::remove_cv_t<std::remove_reference_t<reference_of<Iterator>>>, value_of<Iterator>>;

// An iterator whose elements are read, or read and changed.
template <class Iterator> struct is_input : std::bool_constant<is_readable_v<Iterator>> {};

template <class Iterator, class = void> inline constexpr bool is_output_v = false;
template <class Iterator>
inline constexpr bool is_output_v<Iterator, std::enable_if_t<is_random_access_v<Iterator> && is_copyable_v<Iterator>>> =
    is_writable_v<reference_of<Iterator>>;

// An iterator whose elements are written.
template <class Iterator> struct is_output : std::bool_constant<is_output_v<Iterator>> {};

// Iterators whose elements can be moved to memory for intermediate results and back.
template <class Iterator, class = void> struct is_movable : std::false_type {};
template <class Iterator>
struct is_movable<Iterator, std::enable_if_t<is_output_v<Iterator>>> : is_value<value_of<Iterator>> {};

// Iterators whose elements are objects of the program, so that objects can begin and end there.
template <class Iterator, class = void> struct is_storage : std::false_type {};
template <class Iterator>
struct is_storage<Iterator, std::enable_if_t<is_output_v<Iterator>>>
    : std::bool_constant<std::is_same_v<reference_of<Iterator>, value_of<Iterator> &> &&
                         !std::is_array_v<value_of<Iterator>>> {};

// Iterators whose elements can change places: objects by `swap`, proxies by way of a value.
template <class Left, class Right, class = void> struct is_exchangeable : std::false_type {};
template <class Left, class Right>
struct is_exchangeable<Left, Right, std::enable_if_t<is_output_v<Left> && is_output_v<Right>>>
    : std::bool_constant<std::is_same_v<value_of<Left>, value_of<Right>> &&
                         ((is_storage<Left>::value && is_storage<Right>::value &&
                           std::is_swappable_v<value_of<Left>>) ||
                          (is_movable<Left>::value && is_movable<Right>::value))> {};

// True if an order compares the elements of two ranges with one another and among themselves.
template <class Compare, class Left, class Right, class = void> struct is_order : std::false_type {};
template <class Compare, class Left, class Right>
struct is_order<Compare, Left, Right, std::enable_if_t<is_readable_v<Left> && is_readable_v<Right>>>
    : std::bool_constant<is_copyable_v<Compare> &&
                         std::is_invocable_v<Compare &, reference_of<Left>, reference_of<Left>> &&
                         std::is_invocable_v<Compare &, reference_of<Left>, reference_of<Right>> &&
                         std::is_invocable_v<Compare &, reference_of<Right>, reference_of<Left>> &&
                         std::is_invocable_v<Compare &, reference_of<Right>, reference_of<Right>>> {};

// The iterator that a kernel uses: a pointer instead of an iterator of a contiguous container, so
// that ranges in different containers share kernels.
template <class Iterator> inline const Iterator &plain(const Iterator &iterator) { return iterator; }
template <class Type, class Container>
inline Type *plain(const __gnu_cxx::__normal_iterator<Type *, Container> &iterator) {
  return iterator.base();
}
template <class Iterator> using plain_of = std::decay_t<decltype(stdpar::plain(std::declval<const Iterator &>()))>;

// An element by its index. A subscript may give a proxy, which is another type than a reference.
template <class Iterator> inline decltype(auto) at(const Iterator &first, std::size_t index) {
  return *(first + static_cast<difference_of<Iterator>>(index));
}

// The memory of an element, which need not be an object.
template <class Iterator> inline void *address_of(const Iterator &first, std::size_t index) {
  return static_cast<void *>(std::addressof(stdpar::at(first, index)));
}
template <class Iterator, class... Arguments>
inline void begin_at(const Iterator &first, std::size_t index, Arguments &&...arguments) {
  ::new (stdpar::address_of(first, index)) value_of<Iterator>(std::forward<Arguments>(arguments)...);
}

// Exchanges two elements.
template <class Left, class Right>
inline void exchange(const Left &left, std::size_t here, const Right &right, std::size_t there) {
  if constexpr (is_storage<Left>::value && is_storage<Right>::value) {
    using std::swap;
    swap(stdpar::at(left, here), stdpar::at(right, there));
  } else {
    const value_of<Left> kept = stdpar::at(left, here);
    stdpar::at(left, here) = stdpar::at(right, there);
    stdpar::at(right, there) = kept;
  }
}

// Calls a function object, as the standard does: not as a constant. It may change itself: each
// work-item has a copy, and so has the host; none of these is an object that is const.
template <class Function, class... Arguments>
inline decltype(auto) call(const Function &function, Arguments &&...arguments) {
  if constexpr (std::is_member_pointer_v<Function>)
    return std::invoke(function, std::forward<Arguments>(arguments)...);
  else
    return const_cast<Function &>(function)(std::forward<Arguments>(arguments)...);
}

template <class Function, class... Arguments>
using result_of = std::decay_t<std::invoke_result_t<Function &, Arguments...>>;

// The operations of the standard library for which an operand may be converted first.
template <class Operation, class Type> inline constexpr bool is_arithmetic_operation_v = false;
template <class Type> inline constexpr bool is_arithmetic_operation_v<std::plus<Type>, Type> = true;
template <class Type> inline constexpr bool is_arithmetic_operation_v<std::plus<>, Type> = true;
template <class Type> inline constexpr bool is_arithmetic_operation_v<std::multiplies<Type>, Type> = true;
template <class Type> inline constexpr bool is_arithmetic_operation_v<std::multiplies<>, Type> = true;

template <class Type, class Value> constexpr bool keeps_sums() {
  if constexpr (!std::is_arithmetic_v<Type> || !std::is_arithmetic_v<Value> || std::is_same_v<Type, bool>)
    return false;
  else if constexpr (std::is_integral_v<Type>)
    return std::is_integral_v<Value>;
  else
    return std::is_same_v<std::common_type_t<Type, Value>, Type>;
}

// True if values that are converted to the type of their sum give the same sum. An operation sees
// the values themselves otherwise, and need not accept converted ones.
template <class Operation, class Type, class Value>
struct is_summable : std::bool_constant<std::is_same_v<Type, Value> || (is_arithmetic_operation_v<Operation, Type> &&
                                                                        keeps_sums<Type, Value>())> {};

} // namespace sinter::stdpar

#endif
