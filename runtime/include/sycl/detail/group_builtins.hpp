// The collectives of the device interface, and their mapping from C++ types.
//
// `collectives<Group>` has the functions of one kind of group as overloads. Values are moved as
// integers of their size; numbers are combined as the type of their kind and size, `number_of`.
#ifndef SYCL_DETAIL_GROUP_BUILTINS_HPP
#define SYCL_DETAIL_GROUP_BUILTINS_HPP

#include "../types/functional.hpp"
#include "builtins.hpp"

namespace sycl {

class sub_group;
template <class Type, int Count> class vec;
template <class Type, std::size_t Count> class marray;

namespace detail {

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

} // namespace detail
} // namespace sycl

#define SINTER_FOR_MOVED(Each, group) Each(group, i8) Each(group, i16) Each(group, i32) Each(group, i64)
#define SINTER_FOR_COMBINED(Each, group)                                                                             \
  Each(group, i8) Each(group, i16) Each(group, i32) Each(group, i64) Each(group, u8) Each(group, u16)                \
      Each(group, u32) Each(group, u64) Each(group, f32) Each(group, f64)

namespace sycl::detail {

#define SINTER_MOVES(group, type)                                                                                    \
  static type broadcast(int sender, type x) noexcept { return __acpp_sscp_##group##_broadcast_##type(sender, x); }   \
  static type shift_left(type x, unsigned d) noexcept { return __acpp_sscp_##group##_shift_left_##type(x, d); }      \
  static type shift_right(type x, unsigned d) noexcept { return __acpp_sscp_##group##_shift_right_##type(x, d); }    \
  static type permute(type x, int mask) noexcept { return __acpp_sscp_##group##_permute_##type(x, mask); }           \
  static type select(type x, int sender) noexcept { return __acpp_sscp_##group##_select_##type(x, sender); }
#define SINTER_COMBINATIONS(group, type)                                                                             \
  static type reduce(int op, type x) noexcept { return __acpp_sscp_##group##_reduce_##type(op, x); }                 \
  static type inclusive_scan(int op, type x) noexcept { return __acpp_sscp_##group##_inclusive_scan_##type(op, x); } \
  static type exclusive_scan(int op, type x, type init) noexcept {                                                   \
    return __acpp_sscp_##group##_exclusive_scan_##type(op, x, init);                                                 \
  }
#define SINTER_COLLECTIVES(group)                                                                                    \
  struct group##_collectives {                                                                                       \
    SINTER_FOR_MOVED(SINTER_MOVES, group)                                                                            \
    SINTER_FOR_COMBINED(SINTER_COMBINATIONS, group)                                                                  \
    static bool any(bool x) noexcept { return __acpp_sscp_##group##_any(x); }                                        \
    static bool all(bool x) noexcept { return __acpp_sscp_##group##_all(x); }                                        \
    static bool none(bool x) noexcept { return __acpp_sscp_##group##_none(x); }                                      \
  };
SINTER_COLLECTIVES(work_group)
SINTER_COLLECTIVES(sub_group)
#undef SINTER_COLLECTIVES
#undef SINTER_COMBINATIONS
#undef SINTER_MOVES
#undef SINTER_FOR_COMBINED
#undef SINTER_FOR_MOVED

template <class Group> inline constexpr bool is_sub_group = std::is_same_v<Group, sub_group>;
template <class Group>
using collectives = std::conditional_t<is_sub_group<Group>, sub_group_collectives, work_group_collectives>;

// The number of a function object in the device interface; -1 if it has none.
template <class Operation> struct operation {
  static constexpr int number = -1;
  using operand = void;
  template <class Another> using rebind = Operation;
};
#define SINTER_OPERATION(name, value)                                                                                \
  template <class Type> struct operation<name<Type>> {                                                               \
    static constexpr int number = value;                                                                             \
    using operand = Type;                                                                                            \
    template <class Another> using rebind = name<Another>;                                                           \
  };
#define SINTER_OPERATIONS(name, value) SINTER_OPERATION(sycl::name, value) SINTER_OPERATION(std::name, value)
SINTER_OPERATIONS(plus, 0)
SINTER_OPERATIONS(multiplies, 1)
SINTER_OPERATION(minimum, 2)
SINTER_OPERATION(maximum, 3)
SINTER_OPERATIONS(bit_and, 4)
SINTER_OPERATIONS(bit_or, 5)
SINTER_OPERATIONS(bit_xor, 6)
SINTER_OPERATIONS(logical_and, 7)
SINTER_OPERATIONS(logical_or, 8)
#undef SINTER_OPERATIONS
#undef SINTER_OPERATION

// True if Operation is the function object with this number and takes a Type.
template <class Operation, class Type, int Number>
inline constexpr bool is_operation =
    operation<Operation>::number == Number && (std::is_void_v<typename operation<Operation>::operand> ||
                                               std::is_same_v<typename operation<Operation>::operand, Type>);

template <std::size_t Size, bool Signed> struct integer_of_size {};
template <> struct integer_of_size<1, true> { using type = i8; };
template <> struct integer_of_size<2, true> { using type = i16; };
template <> struct integer_of_size<4, true> { using type = i32; };
template <> struct integer_of_size<8, true> { using type = i64; };
template <> struct integer_of_size<1, false> { using type = u8; };
template <> struct integer_of_size<2, false> { using type = u16; };
template <> struct integer_of_size<4, false> { using type = u32; };
template <> struct integer_of_size<8, false> { using type = u64; };

// The type in which values of Type are combined; without `type` if groups cannot combine them. The
// sum of a group of bools does not fit into a byte.
template <class Type, class = void> struct number_of {};
template <class Type>
struct number_of<Type, std::enable_if_t<std::is_integral_v<Type>>>
    : integer_of_size<sizeof(Type), std::is_signed_v<Type>> {};
template <> struct number_of<bool, void> { using type = i32; };
// Every device combines float; the result is rounded once.
template <class Type> struct number_of<Type, std::enable_if_t<is_short_float<Type>>> { using type = float; };
template <> struct number_of<float, void> { using type = float; };
template <> struct number_of<double, void> { using type = double; };

template <class Type, class = void> inline constexpr bool is_number = false;
template <class Type> inline constexpr bool is_number<Type, std::void_t<typename number_of<Type>::type>> = true;

} // namespace sycl::detail

#endif
