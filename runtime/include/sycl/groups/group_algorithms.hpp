// Group algorithms: broadcasts, votes, reductions, scans, shifts and permutations over the
// work-items of a group.
//
// All work-items of the group must call the same function. Any trivially copyable value can be
// moved, in pieces of up to eight bytes; numbers, and vectors of them element by element, can be
// combined by SYCL's function objects. In a joint_ algorithm the work-items take turns at the
// elements of a range in memory.
#ifndef SYCL_GROUP_ALGORITHMS_HPP
#define SYCL_GROUP_ALGORITHMS_HPP

#include "barrier.hpp"
#include "../detail/group_builtins.hpp"
#include "../index/nd_item.hpp"
#include "sub_group.hpp"

namespace sycl {

template <class Type> struct is_group : std::false_type {};
template <int Dimensions> struct is_group<group<Dimensions>> : std::true_type {};
template <> struct is_group<sub_group> : std::true_type {};
template <class Type> inline constexpr bool is_group_v = is_group<Type>::value;

namespace detail {

template <class Group> using if_group = enable_if<is_group_v<std::decay_t<Group>>>;

// Moves the bytes of `value` with a function on integers.
template <class Piece, class Move> inline void move_piece(unsigned char *bytes, const Move &move) {
  Piece piece;
  __builtin_memcpy(&piece, bytes, sizeof(Piece));
  piece = move(piece);
  __builtin_memcpy(bytes, &piece, sizeof(Piece));
}
template <class Type, class Move> inline Type move_value(const Type &value, const Move &move) {
  static_assert(is_device_copyable_v<Type>, "only trivially copyable values can be passed between work-items");
  Type result(value);
  unsigned char *bytes = reinterpret_cast<unsigned char *>(&result);
  constexpr std::size_t words = sizeof(Type) / 8 * 8;
  for (std::size_t at = 0; at < words; at += 8)
    move_piece<i64>(bytes + at, move);
  if constexpr ((sizeof(Type) & 4) != 0)
    move_piece<i32>(bytes + words, move);
  if constexpr ((sizeof(Type) & 2) != 0)
    move_piece<i16>(bytes + words + (sizeof(Type) & 4), move);
  if constexpr ((sizeof(Type) & 1) != 0)
    move_piece<i8>(bytes + words + (sizeof(Type) & 6), move);
  return result;
}

template <class Group, class Type> inline Type value_of(const Type &x, std::size_t sender) {
  return move_value(x, [=](auto piece) { return collectives<Group>::broadcast(static_cast<int>(sender), piece); });
}
template <class Group, class Type> inline Type selected(const Type &x, std::size_t sender) {
  return move_value(x, [=](auto piece) { return collectives<Group>::select(piece, static_cast<int>(sender)); });
}

// A number converted to the type in which it is combined.
template <class Type> using combined_as = typename number_of<Type>::type;
template <class Type> inline combined_as<Type> to_number(const Type &x) noexcept {
  if constexpr (std::is_arithmetic_v<Type> || is_short_float<Type>)
    return static_cast<combined_as<Type>>(x);
  else
    return __builtin_bit_cast(combined_as<Type>, x);
}
template <class Type> inline Type from_number(const combined_as<Type> &x) noexcept {
  if constexpr (std::is_arithmetic_v<Type> || is_short_float<Type>)
    return static_cast<Type>(x);
  else
    return __builtin_bit_cast(Type, x);
}

// Element type of a vector; any other type is its own element.
template <class Type> struct elements { using type = Type; };
template <class Type, int Count> struct elements<vec<Type, Count>> {
  using type = Type;
  static constexpr int count = Count;
};
template <class Type, std::size_t Count> struct elements<marray<Type, Count>> {
  using type = Type;
  static constexpr std::size_t count = Count;
};
template <class Type> inline constexpr bool is_scalar = std::is_same_v<typename elements<Type>::type, Type>;

template <class Type, class Operation> constexpr void check_combination() {
  using element = typename elements<Type>::type;
  using operand = typename operation<Operation>::operand;
  static_assert(operation<Operation>::number >= 0,
                "group algorithms combine with SYCL's function objects only: sycl::plus, multiplies, minimum, maximum, "
                "bit_and, bit_or, bit_xor, logical_and and logical_or, or those of the standard library with these "
                "names; the device knows no lambda");
  static_assert(is_number<element>, "group algorithms combine arithmetic types and vectors of them");
  static_assert(std::is_void_v<operand> || std::is_same_v<operand, Type> || std::is_same_v<operand, element>,
                "the function object must take the type of the values that are combined: sycl::plus<> fits any");
  constexpr bool bitwise = operation<Operation>::number >= 4 && operation<Operation>::number <= 6;
  static_assert(!bitwise || !is_number<element> || std::is_integral_v<element>,
                "floating-point values have no bitwise operations");
}

// Applies a function to each element, or to the scalar. Passes indices, so that other vectors can
// be read too.
template <class Type, class Function> inline Type by_element(Type x, const Function &function) {
  if constexpr (is_scalar<Type>)
    return function(x, 0);
  else {
    for (int i = 0; i < static_cast<int>(elements<Type>::count); ++i)
      x[i] = function(x[i], i);
    return x;
  }
}
template <class Type> inline typename elements<Type>::type element(const Type &x, int index) {
  if constexpr (is_scalar<Type>)
    return x;
  else
    return x[index];
}

template <class Group, class Type, class Operation> inline Type reduce(const Type &x) {
  check_combination<Type, Operation>();
  return by_element(x, [](auto one, int) {
    return from_number<decltype(one)>(collectives<Group>::reduce(operation<Operation>::number, to_number(one)));
  });
}
template <class Group, class Type, class Operation> inline Type inclusive_scan(const Type &x) {
  check_combination<Type, Operation>();
  return by_element(x, [](auto one, int) {
    return from_number<decltype(one)>(collectives<Group>::inclusive_scan(operation<Operation>::number, to_number(one)));
  });
}
template <class Group, class Type, class Operation> inline Type exclusive_scan(const Type &x, const Type &init) {
  check_combination<Type, Operation>();
  return by_element(x, [&](auto one, int i) {
    return from_number<decltype(one)>(collectives<Group>::exclusive_scan(operation<Operation>::number, to_number(one),
                                                                         to_number(element(init, i))));
  });
}

// The identity. Unlike known_identity, it supports logical operations on numbers, whose result is 0
// or 1.
template <class Type, class Operation> constexpr Type neutral() {
  using one = typename elements<Type>::type;
  using over = std::conditional_t<std::is_void_v<typename operation<Operation>::operand>, Operation,
                                  typename operation<Operation>::template rebind<one>>;
  if constexpr (!is_scalar<Type>)
    return Type(neutral<one, over>());
  else if constexpr (has_known_identity_v<Operation, Type>)
    return known_identity_v<Operation, Type>;
  else {
    static_assert(operation<Operation>::number >= 7, "sycl::known_identity has no identity for the function object");
    return from_number<Type>(static_cast<combined_as<Type>>(operation<Operation>::number == 7 ? 1 : 0));
  }
}

template <class Pointer>
using value_behind = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<Pointer &>())>>;

} // namespace detail

template <class Group, class Type, detail::if_group<Group> = 0> Type group_broadcast(Group, Type x) {
  return detail::value_of<Group>(x, 0);
}
template <class Group, class Type, detail::if_group<Group> = 0>
Type group_broadcast(Group, Type x, typename Group::linear_id_type local_linear_id) {
  return detail::value_of<Group>(x, local_linear_id);
}
template <class Group, class Type, detail::if_group<Group> = 0>
Type group_broadcast(Group g, Type x, typename Group::id_type local_id) {
  return detail::value_of<Group>(x, detail::linear(local_id, g.get_local_range()));
}

#define SINTER_VOTE(vote, start, update)                                                                             \
  template <class Group, detail::if_group<Group> = 0> bool vote##_of_group(Group, bool predicate) {                  \
    return detail::collectives<Group>::vote(predicate);                                                              \
  }                                                                                                                  \
  template <class Group, class Type, class Predicate, detail::if_group<Group> = 0>                                   \
  bool vote##_of_group(Group g, Type x, Predicate predicate) {                                                       \
    return vote##_of_group(g, static_cast<bool>(predicate(x)));                                                      \
  }                                                                                                                  \
  template <class Group, class Pointer, class Predicate, detail::if_group<Group> = 0>                                \
  bool joint_##vote##_of(Group g, Pointer first, Pointer last, Predicate predicate) {                                \
    bool mine = start;                                                                                               \
    const auto count = last - first;                                                                                 \
    for (auto i = static_cast<decltype(count)>(g.get_local_linear_id()); i < count;                                  \
         i += static_cast<decltype(count)>(g.get_local_linear_range()))                                              \
      mine = mine update static_cast<bool>(predicate(first[i]));                                                     \
    return vote##_of_group(g, mine);                                                                                 \
  }
SINTER_VOTE(any, false, ||)
SINTER_VOTE(all, true, &&)
SINTER_VOTE(none, false, ||)
#undef SINTER_VOTE

template <class Group, class Type, detail::if_group<Group> = 0>
Type shift_group_left(Group, Type x, typename Group::linear_id_type delta = 1) {
  return detail::move_value(x, [=](auto piece) {
    return detail::collectives<Group>::shift_left(piece, static_cast<unsigned>(delta));
  });
}
template <class Group, class Type, detail::if_group<Group> = 0>
Type shift_group_right(Group, Type x, typename Group::linear_id_type delta = 1) {
  return detail::move_value(x, [=](auto piece) {
    return detail::collectives<Group>::shift_right(piece, static_cast<unsigned>(delta));
  });
}
template <class Group, class Type, detail::if_group<Group> = 0>
Type permute_group_by_xor(Group, Type x, typename Group::linear_id_type mask) {
  return detail::move_value(x, [=](auto piece) {
    return detail::collectives<Group>::permute(piece, static_cast<int>(mask));
  });
}
template <class Group, class Type, detail::if_group<Group> = 0>
Type select_from_group(Group g, Type x, typename Group::id_type remote_local_id) {
  return detail::selected<Group>(x, detail::linear(remote_local_id, g.get_local_range()));
}

template <class Group, class Type, class Operation, detail::if_group<Group> = 0>
Type reduce_over_group(Group, Type x, Operation) {
  return detail::reduce<Group, Type, Operation>(x);
}
template <class Group, class Input, class Type, class Operation, detail::if_group<Group> = 0>
Type reduce_over_group(Group, Input x, Type init, Operation combine) {
  return static_cast<Type>(combine(init, detail::reduce<Group, Type, Operation>(static_cast<Type>(x))));
}

template <class Group, class Type, class Operation, detail::if_group<Group> = 0>
Type inclusive_scan_over_group(Group, Type x, Operation) {
  return detail::inclusive_scan<Group, Type, Operation>(x);
}
template <class Group, class Input, class Type, class Operation, detail::if_group<Group> = 0,
          detail::enable_if<std::is_invocable_v<Operation, Type, Type>> = 0>
Type inclusive_scan_over_group(Group, Input x, Operation combine, Type init) {
  return static_cast<Type>(combine(init, detail::inclusive_scan<Group, Type, Operation>(static_cast<Type>(x))));
}
// Of AdaptiveCpp: the arguments as in an exclusive scan.
template <class Group, class Input, class Type, class Operation, detail::if_group<Group> = 0,
          detail::enable_if<std::is_invocable_v<Operation, Type, Type>> = 0>
Type inclusive_scan_over_group(Group all, Input x, Type init, Operation combine) {
  return inclusive_scan_over_group(all, x, combine, init);
}

template <class Group, class Type, class Operation, detail::if_group<Group> = 0>
Type exclusive_scan_over_group(Group, Type x, Operation) {
  detail::check_combination<Type, Operation>();
  return detail::exclusive_scan<Group, Type, Operation>(x, detail::neutral<Type, Operation>());
}
template <class Group, class Input, class Type, class Operation, detail::if_group<Group> = 0>
Type exclusive_scan_over_group(Group, Input x, Type init, Operation) {
  return detail::exclusive_scan<Group, Type, Operation>(static_cast<Type>(x), init);
}

template <class Group, class Pointer, class Type, class Operation, detail::if_group<Group> = 0>
Type joint_reduce(Group g, Pointer first, Pointer last, Type init, Operation combine) {
  detail::check_combination<Type, Operation>();
  Type mine = detail::neutral<Type, Operation>();
  const auto count = last - first;
  for (auto i = static_cast<decltype(count)>(g.get_local_linear_id()); i < count;
       i += static_cast<decltype(count)>(g.get_local_linear_range()))
    mine = static_cast<Type>(combine(mine, static_cast<Type>(first[i])));
  return static_cast<Type>(combine(init, detail::reduce<Group, Type, Operation>(mine)));
}
template <class Group, class Pointer, class Operation, detail::if_group<Group> = 0>
detail::value_behind<Pointer> joint_reduce(Group g, Pointer first, Pointer last, Operation combine) {
  using value = detail::value_behind<Pointer>;
  detail::check_combination<value, Operation>();
  return joint_reduce(g, first, last, detail::neutral<value, Operation>(), combine);
}

namespace detail {

// Scans a range in runs of as many elements as the group has work-items; `carry` is the result
// before the run. Results may overwrite the elements from which they are computed, since each is
// read and written by the same work-item.
template <bool Inclusive, class Group, class In, class Out, class Type, class Operation>
inline Out joint_scan(const Group &g, In first, In last, Out result, Type carry, const Operation &combine) {
  const auto count = last - first;
  using index = std::remove_const_t<decltype(count)>;
  const index width = static_cast<index>(g.get_local_linear_range());
  const index self = static_cast<index>(g.get_local_linear_id());
  for (index start = 0; start < count; start += width) {
    const index i = start + self;
    const Type x = i < count ? static_cast<Type>(first[i]) : neutral<Type, Operation>();
    const Type before = exclusive_scan<Group, Type, Operation>(x, carry),
               through = static_cast<Type>(combine(before, x));
    if (i < count)
      result[i] = Inclusive ? through : before;
    carry = value_of<Group>(through, static_cast<std::size_t>(width - 1));
  }
  group_barrier(g);
  return result + count;
}

} // namespace detail

template <class Group, class In, class Out, class Type, class Operation, detail::if_group<Group> = 0>
Out joint_exclusive_scan(Group g, In first, In last, Out result, Type init, Operation combine) {
  return detail::joint_scan<false>(g, first, last, result, init, combine);
}
template <class Group, class In, class Out, class Operation, detail::if_group<Group> = 0>
Out joint_exclusive_scan(Group g, In first, In last, Out result, Operation combine) {
  using value = detail::value_behind<Out>;
  detail::check_combination<value, Operation>();
  return detail::joint_scan<false>(g, first, last, result, detail::neutral<value, Operation>(), combine);
}
template <class Group, class In, class Out, class Type, class Operation, detail::if_group<Group> = 0>
Out joint_inclusive_scan(Group g, In first, In last, Out result, Operation combine, Type init) {
  return detail::joint_scan<true>(g, first, last, result, init, combine);
}
template <class Group, class In, class Out, class Operation, detail::if_group<Group> = 0>
Out joint_inclusive_scan(Group g, In first, In last, Out result, Operation combine) {
  using value = detail::value_behind<Out>;
  detail::check_combination<value, Operation>();
  return detail::joint_scan<true>(g, first, last, result, detail::neutral<value, Operation>(), combine);
}

} // namespace sycl

#endif
