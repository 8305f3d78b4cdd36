// Converts run-time scope and address space to compile-time constants. After inlining one case is
// left.
//
// Before including it a target defines the scopes `work_group`, `device` and `system` of its
// instructions in the namespace `reach`.
#pragma once
#include "atomics.hpp"
#include "orders.hpp"

// Combinations of address space and scope. Only its work-group accesses local memory; scopes of a
// work-item or sub-group are widened to the work-group, the smallest scope that every device has.
enum place : i32 {
  group_local,
  group_global,
  device_global,
  system_global,
  group_generic,
  device_generic,
  system_generic
};

ATOMIC_INLINE place place_of(atomic_mode m) {
  if (m.where == space::local)
    return group_local;
  i32 reach = m.whom == scope::system ? 2 : m.whom == scope::device ? 1 : 0;
  return (place)((m.where == space::global ? group_global : group_generic) + reach);
}

// Evaluates EXPRESSION, which uses the type `pointer` and the constants SCOPE and ORDER.
#define AT_PLACE(PLACE, SPACE, REACH, EXPRESSION)                                                                      \
  case PLACE: {                                                                                                        \
    using pointer = SPACE T *;                                                                                         \
    constexpr auto SCOPE = reach::REACH;                                                                               \
    WITH_ORDER(m.how, EXPRESSION)                                                                                      \
  } break;

#define AT_PLACES(EXPRESSION)                                                                                          \
  switch (place_of(m)) {                                                                                               \
    AT_PLACE(group_local, LOCAL, work_group, EXPRESSION)                                                               \
    AT_PLACE(group_global, GLOBAL, work_group, EXPRESSION)                                                             \
    AT_PLACE(device_global, GLOBAL, device, EXPRESSION)                                                                \
    AT_PLACE(system_global, GLOBAL, system, EXPRESSION)                                                                \
    AT_PLACE(group_generic, , work_group, EXPRESSION)                                                                  \
    AT_PLACE(device_generic, , device, EXPRESSION)                                                                     \
    AT_PLACE(system_generic, , system, EXPRESSION)                                                                     \
  }                                                                                                                    \
  __builtin_unreachable();

// The compare-exchange builtin, on top of a target's `exchange_if`.
#define EXCHANGE(STRENGTH, T)                                                                                          \
  SSCP_BUILTIN bool __acpp_sscp_cmp_exch_##STRENGTH##_##T(space a, order success, order failure, scope s, T *p,        \
                                                          T *expected, T desired) {                                    \
    return exchange_if({a, exchange_order(success, failure), s}, p, expected, desired);                                \
  }
