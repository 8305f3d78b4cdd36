// Group algorithms: broadcasts, votes, reductions, scans, shifts and permutations over the work-items of a group.
//
// All work-items of the group must call the same function. Any trivially copyable value can be moved, in pieces of
// up to eight bytes; numbers, and vectors of them element by element, can be combined by SYCL's function objects. A
// joint_ algorithm gives the work-items turns at the elements of a range in memory.
#ifndef SYCL_GROUP_ALGORITHMS_HPP
#define SYCL_GROUP_ALGORITHMS_HPP

#include "barrier.hpp"
#include "detail/group_builtins.hpp"
#include "nd_item.hpp"
#include "sub_group.hpp"

namespace sycl {

template <class T> struct is_group : std::false_type {};
template <int Dimensions> struct is_group<group<Dimensions>> : std::true_type {};
template <> struct is_group<sub_group> : std::true_type {};
template <class T> inline constexpr bool is_group_v = is_group<T>::value;

namespace detail {

template <class Group> using if_group = enable_if<is_group_v<std::decay_t<Group>>>;

// Moves the bytes of `value` with a function of integers.
template <class Piece, class Move> inline void move_piece(unsigned char *bytes, const Move &move) {
  Piece piece;
  __builtin_memcpy(&piece, bytes, sizeof(Piece));
  piece = move(piece);
  __builtin_memcpy(bytes, &piece, sizeof(Piece));
}
template <class T, class Move> inline T move_value(const T &value, const Move &move) {
  static_assert(is_device_copyable_v<T>, "only trivially copyable values can be passed between work-items");
  T result(value);
  unsigned char *bytes = reinterpret_cast<unsigned char *>(&result);
  constexpr std::size_t words = sizeof(T) / 8 * 8;
  for (std::size_t at = 0; at < words; at += 8)
    move_piece<i64>(bytes + at, move);
  if constexpr ((sizeof(T) & 4) != 0)
    move_piece<i32>(bytes + words, move);
  if constexpr ((sizeof(T) & 2) != 0)
    move_piece<i16>(bytes + words + (sizeof(T) & 4), move);
  if constexpr ((sizeof(T) & 1) != 0)
    move_piece<i8>(bytes + words + (sizeof(T) & 6), move);
  return result;
}

template <class Group, class T> inline T value_of(const T &x, std::size_t sender) {
  return move_value(x, [=](auto piece) { return collectives<Group>::broadcast(static_cast<int>(sender), piece); });
}
template <class Group, class T> inline T selected(const T &x, std::size_t sender) {
  return move_value(x, [=](auto piece) { return collectives<Group>::select(piece, static_cast<int>(sender)); });
}

// A number as the type its kind is combined as.
template <class T> using combined_as = typename number_of<T>::type;
template <class T> inline combined_as<T> to_number(const T &x) noexcept {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<combined_as<T>>(x);
  else
    return __builtin_bit_cast(combined_as<T>, x);
}
template <class T> inline T from_number(const combined_as<T> &x) noexcept {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(x);
  else
    return __builtin_bit_cast(T, x);
}

// The elements of a vector; any other type is its own element.
template <class T> struct elements { using type = T; };
template <class T, int Count> struct elements<vec<T, Count>> {
  using type = T;
  static constexpr int count = Count;
};
template <class T, std::size_t Count> struct elements<marray<T, Count>> {
  using type = T;
  static constexpr std::size_t count = Count;
};
template <class T> inline constexpr bool is_scalar = std::is_same_v<typename elements<T>::type, T>;

template <class T, class Operation> constexpr void check_combination() {
  using element = typename elements<T>::type;
  using operand = typename operation<Operation>::operand;
  static_assert(operation<Operation>::number >= 0,
                "group algorithms combine with SYCL's function objects only: sycl::plus, multiplies, minimum, maximum, "
                "bit_and, bit_or, bit_xor, logical_and and logical_or, or those of the standard library with these "
                "names; the device knows no lambda");
  static_assert(is_number<element>, "group algorithms combine arithmetic types and vectors of them");
  static_assert(std::is_void_v<operand> || std::is_same_v<operand, T> || std::is_same_v<operand, element>,
                "the function object must take the type of the values that are combined: sycl::plus<> fits any");
  constexpr bool bitwise = operation<Operation>::number >= 4 && operation<Operation>::number <= 6;
  static_assert(!bitwise || !is_number<element> || std::is_integral_v<element>,
                "floating-point values have no bitwise operations");
}

// Applies a function to each element, or to the one value. Indices are passed so that other vectors can be read too.
template <class T, class Function> inline T by_element(T x, const Function &function) {
  if constexpr (is_scalar<T>)
    return function(x, 0);
  else {
    for (int i = 0; i < static_cast<int>(elements<T>::count); ++i)
      x[i] = function(x[i], i);
    return x;
  }
}
template <class T> inline typename elements<T>::type element(const T &x, int index) {
  if constexpr (is_scalar<T>)
    return x;
  else
    return x[index];
}

template <class Group, class T, class Operation> inline T reduce(const T &x) {
  check_combination<T, Operation>();
  return by_element(x, [](auto one, int) {
    return from_number<decltype(one)>(collectives<Group>::reduce(operation<Operation>::number, to_number(one)));
  });
}
template <class Group, class T, class Operation> inline T inclusive_scan(const T &x) {
  check_combination<T, Operation>();
  return by_element(x, [](auto one, int) {
    return from_number<decltype(one)>(collectives<Group>::inclusive_scan(operation<Operation>::number, to_number(one)));
  });
}
template <class Group, class T, class Operation> inline T exclusive_scan(const T &x, const T &init) {
  check_combination<T, Operation>();
  return by_element(x, [&](auto one, int i) {
    return from_number<decltype(one)>(collectives<Group>::exclusive_scan(operation<Operation>::number, to_number(one),
                                                                         to_number(element(init, i))));
  });
}

// What changes no element. Unlike known_identity, it knows logical operations on numbers, whose result is 0 or 1.
template <class T, class Operation> constexpr T neutral() {
  using one = typename elements<T>::type;
  using over = std::conditional_t<std::is_void_v<typename operation<Operation>::operand>, Operation,
                                  typename operation<Operation>::template rebind<one>>;
  if constexpr (!is_scalar<T>)
    return T(neutral<one, over>());
  else if constexpr (has_known_identity_v<Operation, T>)
    return known_identity_v<Operation, T>;
  else {
    static_assert(operation<Operation>::number >= 7, "sycl::known_identity has no identity for the function object");
    return from_number<T>(static_cast<combined_as<T>>(operation<Operation>::number == 7 ? 1 : 0));
  }
}

template <class Pointer>
using value_behind = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<Pointer &>())>>;

} // namespace detail

template <class Group, class T, detail::if_group<Group> = 0> T group_broadcast(Group, T x) {
  return detail::value_of<Group>(x, 0);
}
template <class Group, class T, detail::if_group<Group> = 0>
T group_broadcast(Group, T x, typename Group::linear_id_type local_linear_id) {
  return detail::value_of<Group>(x, local_linear_id);
}
template <class Group, class T, detail::if_group<Group> = 0>
T group_broadcast(Group g, T x, typename Group::id_type local_id) {
  return detail::value_of<Group>(x, detail::linear(local_id, g.get_local_range()));
}

#define SINTER_VOTE(vote, start, update)                                                                             \
  template <class Group, detail::if_group<Group> = 0> bool vote##_of_group(Group, bool predicate) {                  \
    return detail::collectives<Group>::vote(predicate);                                                              \
  }                                                                                                                  \
  template <class Group, class T, class Predicate, detail::if_group<Group> = 0>                                      \
  bool vote##_of_group(Group g, T x, Predicate predicate) {                                                          \
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

template <class Group, class T, detail::if_group<Group> = 0>
T shift_group_left(Group, T x, typename Group::linear_id_type delta = 1) {
  return detail::move_value(x, [=](auto piece) {
    return detail::collectives<Group>::shift_left(piece, static_cast<unsigned>(delta));
  });
}
template <class Group, class T, detail::if_group<Group> = 0>
T shift_group_right(Group, T x, typename Group::linear_id_type delta = 1) {
  return detail::move_value(x, [=](auto piece) {
    return detail::collectives<Group>::shift_right(piece, static_cast<unsigned>(delta));
  });
}
template <class Group, class T, detail::if_group<Group> = 0>
T permute_group_by_xor(Group, T x, typename Group::linear_id_type mask) {
  return detail::move_value(x, [=](auto piece) {
    return detail::collectives<Group>::permute(piece, static_cast<int>(mask));
  });
}
template <class Group, class T, detail::if_group<Group> = 0>
T select_from_group(Group g, T x, typename Group::id_type remote_local_id) {
  return detail::selected<Group>(x, detail::linear(remote_local_id, g.get_local_range()));
}

template <class Group, class T, class Operation, detail::if_group<Group> = 0>
T reduce_over_group(Group, T x, Operation) {
  return detail::reduce<Group, T, Operation>(x);
}
template <class Group, class V, class T, class Operation, detail::if_group<Group> = 0>
T reduce_over_group(Group, V x, T init, Operation combine) {
  return static_cast<T>(combine(init, detail::reduce<Group, T, Operation>(static_cast<T>(x))));
}

template <class Group, class T, class Operation, detail::if_group<Group> = 0>
T inclusive_scan_over_group(Group, T x, Operation) {
  return detail::inclusive_scan<Group, T, Operation>(x);
}
template <class Group, class V, class T, class Operation, detail::if_group<Group> = 0>
T inclusive_scan_over_group(Group, V x, Operation combine, T init) {
  return static_cast<T>(combine(init, detail::inclusive_scan<Group, T, Operation>(static_cast<T>(x))));
}

template <class Group, class T, class Operation, detail::if_group<Group> = 0>
T exclusive_scan_over_group(Group, T x, Operation) {
  detail::check_combination<T, Operation>();
  return detail::exclusive_scan<Group, T, Operation>(x, detail::neutral<T, Operation>());
}
template <class Group, class V, class T, class Operation, detail::if_group<Group> = 0>
T exclusive_scan_over_group(Group, V x, T init, Operation) {
  return detail::exclusive_scan<Group, T, Operation>(static_cast<T>(x), init);
}

template <class Group, class Pointer, class T, class Operation, detail::if_group<Group> = 0>
T joint_reduce(Group g, Pointer first, Pointer last, T init, Operation combine) {
  detail::check_combination<T, Operation>();
  T mine = detail::neutral<T, Operation>();
  const auto count = last - first;
  for (auto i = static_cast<decltype(count)>(g.get_local_linear_id()); i < count;
       i += static_cast<decltype(count)>(g.get_local_linear_range()))
    mine = static_cast<T>(combine(mine, static_cast<T>(first[i])));
  return static_cast<T>(combine(init, detail::reduce<Group, T, Operation>(mine)));
}
template <class Group, class Pointer, class Operation, detail::if_group<Group> = 0>
detail::value_behind<Pointer> joint_reduce(Group g, Pointer first, Pointer last, Operation combine) {
  using value = detail::value_behind<Pointer>;
  detail::check_combination<value, Operation>();
  return joint_reduce(g, first, last, detail::neutral<value, Operation>(), combine);
}

namespace detail {

// Scans a range in runs of as many elements as the group has work-items; `carry` is what came before the run. Results
// may replace the elements they come from, since each is read and written by the same work-item.
template <bool Inclusive, class Group, class In, class Out, class T, class Operation>
inline Out joint_scan(const Group &g, In first, In last, Out result, T carry, const Operation &combine) {
  const auto count = last - first;
  using index = std::remove_const_t<decltype(count)>;
  const index width = static_cast<index>(g.get_local_linear_range());
  const index self = static_cast<index>(g.get_local_linear_id());
  for (index start = 0; start < count; start += width) {
    const index i = start + self;
    const T x = i < count ? static_cast<T>(first[i]) : neutral<T, Operation>();
    const T before = exclusive_scan<Group, T, Operation>(x, carry), through = static_cast<T>(combine(before, x));
    if (i < count)
      result[i] = Inclusive ? through : before;
    carry = value_of<Group>(through, static_cast<std::size_t>(width - 1));
  }
  group_barrier(g);
  return result + count;
}

} // namespace detail

template <class Group, class In, class Out, class T, class Operation, detail::if_group<Group> = 0>
Out joint_exclusive_scan(Group g, In first, In last, Out result, T init, Operation combine) {
  return detail::joint_scan<false>(g, first, last, result, init, combine);
}
template <class Group, class In, class Out, class Operation, detail::if_group<Group> = 0>
Out joint_exclusive_scan(Group g, In first, In last, Out result, Operation combine) {
  using value = detail::value_behind<Out>;
  detail::check_combination<value, Operation>();
  return detail::joint_scan<false>(g, first, last, result, detail::neutral<value, Operation>(), combine);
}
template <class Group, class In, class Out, class T, class Operation, detail::if_group<Group> = 0>
Out joint_inclusive_scan(Group g, In first, In last, Out result, Operation combine, T init) {
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
