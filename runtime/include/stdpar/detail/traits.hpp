// Conditions under which an algorithm can run on a device.
//
// In: types of iterators, callables and values. Out: constants. Whatever is not known to be safe is
// left to the standard library: a proxy such as that of vector<bool> shares bytes between elements.
#ifndef SINTER_STDPAR_TRAITS_HPP
#define SINTER_STDPAR_TRAITS_HPP

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sinter::stdpar {

// A default of a template parameter: the template is considered only if all of these hold.
template <class... Conditions> using require = std::enable_if_t<(Conditions::value && ...)>;

// True if the bytes of an object are a copy. An assignment need not be trivial: that of
// std::tuple is not.
template <class Type>
inline constexpr bool is_copyable_v =
    std::is_trivially_copy_constructible_v<Type> && std::is_trivially_destructible_v<Type>;
template <class Type> struct is_copyable : std::bool_constant<is_copyable_v<Type>> {};
template <class Type> struct is_value : std::bool_constant<std::is_trivially_copyable_v<Type>> {};

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

// An element by its index.
template <class Iterator> inline decltype(auto) at(const Iterator &first, std::size_t index) {
  return first[static_cast<difference_of<Iterator>>(index)];
}

// Calls a function object. One that changes itself is copied for each call: calls run at the same
// time.
template <class Function, class... Arguments>
inline decltype(auto) call(const Function &function, Arguments &&...arguments) {
  if constexpr (std::is_invocable_v<const Function &, Arguments...>) {
    return std::invoke(function, std::forward<Arguments>(arguments)...);
  } else {
    Function own(function);
    return std::invoke(own, std::forward<Arguments>(arguments)...);
  }
}

} // namespace sinter::stdpar

#endif
