// Fences of the PTX memory model. Scopes of a work-item or a sub-group need a fence of the
// work-group, the smallest scope there is.
#pragma once
#include "../generic/types.hpp"

#define FENCE(TEXT) asm volatile("fence." TEXT ";" ::: "memory")

static inline __attribute__((always_inline)) void strict_fence(scope s) {
  if (s == scope::system)
    FENCE("sc.sys");
  else if (s == scope::device)
    FENCE("sc.gpu");
  else
    FENCE("sc.cta");
}

static inline __attribute__((always_inline)) void fence(order o, scope s) {
  if (o == order::relaxed || s == scope::work_item)
    return;
  if (o == order::seq_cst)
    strict_fence(s);
  else if (s == scope::system)
    FENCE("acq_rel.sys");
  else if (s == scope::device)
    FENCE("acq_rel.gpu");
  else
    FENCE("acq_rel.cta");
}
