// Converts a run-time memory order to a compile-time constant. After inlining the order is a
// constant and one case is left.
#pragma once
#include "types.hpp"

// Evaluates EXPRESSION, which uses the constant ORDER, for the order in `o`. An unknown order
// counts as seq_cst.
#define WITH_ORDER(o, EXPRESSION)                                                                                      \
  switch (o) {                                                                                                         \
  case order::relaxed: { constexpr int ORDER = __ATOMIC_RELAXED; EXPRESSION; } break;                                   \
  case order::acquire: { constexpr int ORDER = __ATOMIC_ACQUIRE; EXPRESSION; } break;                                   \
  case order::release: { constexpr int ORDER = __ATOMIC_RELEASE; EXPRESSION; } break;                                   \
  case order::acq_rel: { constexpr int ORDER = __ATOMIC_ACQ_REL; EXPRESSION; } break;                                   \
  default: { constexpr int ORDER = __ATOMIC_SEQ_CST; EXPRESSION; } break;                                               \
  }

// A load cannot release, a store cannot acquire: the nearest valid order.
constexpr int load_order(int o) {
  return o == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : o == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : o;
}
constexpr int store_order(int o) {
  return o == __ATOMIC_ACQUIRE ? __ATOMIC_RELAXED : o == __ATOMIC_ACQ_REL ? __ATOMIC_RELEASE : o;
}

// The weakest order of a compare-exchange whose failure order, which is load_order() of it, is at
// least `failure`.
static inline order exchange_order(order success, order failure) {
  if (success == order::seq_cst || failure == order::seq_cst)
    return order::seq_cst;
  bool acquires = failure != order::relaxed && failure != order::release;
  if (!acquires)
    return success;
  return success == order::relaxed || success == order::acquire ? order::acquire : order::acq_rel;
}
