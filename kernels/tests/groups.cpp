// Runs work-group collectives with one fiber for each work-item and compares them with serial
// loops. Linked with the host's bitcode library by tests/libraries.rs, and with the sources of
// other targets by tests/warps.rs. Prints each failure; the exit status is non-zero if there was
// one.
#include "builtins.hpp"
#include "fibers.hpp"
#include <cstdio>

namespace {
u64 size_x, size_y, size_z;
fibers::barrier barrier;
int failures = 0;
} // namespace

#define CHECK(CONDITION)                                                                                               \
  do {                                                                                                                 \
    if (!(CONDITION) && failures++ < 20)                                                                               \
      std::printf("line %d: %s (%llu x %llu x %llu)\n", __LINE__, #CONDITION, size_x, size_y, size_z);                 \
  } while (0)

extern "C" {
u64 __acpp_sscp_get_local_id_x() { return fibers::self % size_x; }
u64 __acpp_sscp_get_local_id_y() { return fibers::self / size_x % size_y; }
u64 __acpp_sscp_get_local_id_z() { return fibers::self / (size_x * size_y); }
u64 __acpp_sscp_get_local_size_x() { return size_x; }
u64 __acpp_sscp_get_local_size_y() { return size_y; }
u64 __acpp_sscp_get_local_size_z() { return size_z; }
void __acpp_sscp_work_group_barrier(scope, order) { barrier.wait(); }
// Of the host's rows of one work-item.
bool __sinter_row_is_aligned() { return true; }
bool __sinter_row_is_full() { return true; }
}

template <class T> static T combine(int op, T a, T b) {
  switch (op) {
  case 0: return T(a + b);
  case 1: return T(a * b);
  case 2: return b < a ? b : a;
  case 3: return a < b ? b : a;
  case 4: return T(u64(a) & u64(b));
  case 5: return T(u64(a) | u64(b));
  case 6: return T(u64(a) ^ u64(b));
  case 7: return T(a && b);
  default: return T(a || b);
  }
}

// A value for each item that exercises every operation. Sums are exact, and so are the products of
// powers of 2.
template <class T> static T value(int op, u64 item) {
  if (T(0.5) != 0 && op == 1)
    return item % 2 == 0 ? T(2) : T(0.5);
  return T((item * 7 + 3) % 11 + (item % 3 == 0 ? 0.5 : 0));
}

// Folds the values of the items from `first` up to but not including `last`, in order.
template <class T> static T fold(int op, T start, u64 first, u64 last) {
  for (u64 i = first; i < last; ++i)
    start = combine(op, start, value<T>(op, i));
  return start;
}

// The sub-group of an item.
struct sub_group {
  u64 first, last;
  sub_group(u64 self, u64 count) {
    const u64 size = __acpp_sscp_get_subgroup_max_size();
    first = self - self % size;
    last = first + size < count ? first + size : count;
  }
};

// Overwrites what the sub-groups have stored, which would be right for the next operation too: one
// that read it too early, or wrote it too late, would not be noticed.
#define SPOIL(T) CHECK(__acpp_sscp_work_group_reduce_##T(operation(0), T(self == 0)) == T(1));

#define CHECK_OPERATIONS(T)                                                                                            \
  for (int op = 0; op < 9; ++op) {                                                                                     \
    if (T(0.5) != 0 && op >= 4 && op <= 6)                                                                             \
      continue;                                                                                                        \
    const T own = value<T>(op, self), start = value<T>(op, 0), sub_start = value<T>(op, sub.first);                    \
    CHECK(__acpp_sscp_work_group_reduce_##T(operation(op), own) == fold<T>(op, start, 1, count));                                 \
    SPOIL(T)                                                                                                           \
    CHECK(__acpp_sscp_work_group_exclusive_scan_##T(operation(op), own, T(4)) == fold<T>(op, T(4), 0, self));                     \
    SPOIL(T)                                                                                                           \
    CHECK(__acpp_sscp_work_group_inclusive_scan_##T(operation(op), own) == fold<T>(op, start, 1, self + 1));                      \
    SPOIL(T)                                                                                                           \
    CHECK(__acpp_sscp_work_group_exclusive_scan_##T(operation(op), own, T(2)) == fold<T>(op, T(2), 0, self));                     \
    SPOIL(T)                                                                                                           \
    CHECK(__acpp_sscp_sub_group_reduce_##T(operation(op), own) == fold<T>(op, sub_start, sub.first + 1, sub.last));               \
    CHECK(__acpp_sscp_sub_group_inclusive_scan_##T(operation(op), own) == fold<T>(op, sub_start, sub.first + 1, self + 1));       \
    CHECK(__acpp_sscp_sub_group_exclusive_scan_##T(operation(op), own, T(4)) == fold<T>(op, T(4), sub.first, self));              \
  }

static void combinations(u64 self, u64 count) {
  const sub_group sub(self, count);
  CHECK_OPERATIONS(i32)
  CHECK_OPERATIONS(f32)
  // The loops to compare with take the square of the number of items.
  if (count > 256)
    return;
  CHECK_OPERATIONS(i8)
  CHECK_OPERATIONS(u8)
  CHECK_OPERATIONS(u64)
  CHECK_OPERATIONS(f64)
}

static void queries(u64 self, u64 count) {
  const sub_group sub(self, count);
  const u64 size = __acpp_sscp_get_subgroup_max_size();
  CHECK(__acpp_sscp_get_subgroup_local_id() == self - sub.first);
  CHECK(__acpp_sscp_get_subgroup_size() == sub.last - sub.first);
  CHECK(__acpp_sscp_get_subgroup_id() == self / size);
  CHECK(__acpp_sscp_get_num_subgroups() == (count + size - 1) / size);
}

static void sub_group_moves(u64 self, u64 count) {
  const sub_group sub(self, count);
  const u64 lane = self - sub.first, lanes = sub.last - sub.first;
  CHECK(__acpp_sscp_sub_group_broadcast_i8(i32(lanes - 1), i8(self)) == i8(sub.last - 1));
  CHECK(__acpp_sscp_sub_group_select_i16(i16(self), i32(lanes - 1 - lane)) == i16(sub.last - 1 - lane));
  for (u32 delta : {0u, 1u, 5u}) {
    const i64 left = __acpp_sscp_sub_group_shift_left_i64(i64(self) << 33, delta);
    CHECK(lane + delta >= lanes || left == i64(self + delta) << 33);
    const i64 right = __acpp_sscp_sub_group_shift_right_i64(i64(self) << 33, delta);
    CHECK(lane < delta || right == i64(self - delta) << 33);
  }
  for (i32 mask : {0, 1, 6}) {
    const i32 other = __acpp_sscp_sub_group_permute_i32(i32(self), mask);
    CHECK((lane ^ u64(mask)) >= lanes || other == i32(sub.first + (lane ^ u64(mask))));
  }
}

static void moves(u64 self, u64 count) {
  for (u64 sender : {u64(0), count / 2, count - 1})
    CHECK(__acpp_sscp_work_group_broadcast_i8(i32(sender), i8(self)) == i8(sender));
  for (u32 delta : {0u, 1u, 5u}) {
    const i64 left = __acpp_sscp_work_group_shift_left_i64(i64(self) << 33, delta);
    CHECK(self + delta >= count || left == i64(self + delta) << 33);
    const i64 right = __acpp_sscp_work_group_shift_right_i64(i64(self) << 33, delta);
    CHECK(self < delta || right == i64(self - delta) << 33);
  }
  for (i32 mask : {0, 1, 6}) {
    const i32 other = __acpp_sscp_work_group_permute_i32(i32(self), mask);
    CHECK((self ^ u64(mask)) >= count || other == i32(self ^ u64(mask)));
  }
  CHECK(__acpp_sscp_work_group_select_i16(i16(self), i32(count - 1 - self)) == i16(count - 1 - self));
}

// The names that AdaptiveCpp's headers use.
#define CHECK_SHIFTS(T)                                                                                                \
  for (u32 delta : {0u, 1u, 5u}) {                                                                                     \
    const T left = __acpp_sscp_work_group_shl_##T(T(self * 3), delta);                                                 \
    CHECK(self + delta >= count || left == T((self + delta) * 3));                                                     \
    const T right = __acpp_sscp_work_group_shr_##T(T(self * 3), delta);                                                \
    CHECK(self < delta || right == T((self - delta) * 3));                                                             \
    const T above = __acpp_sscp_sub_group_shl_##T(T(self * 3), delta);                                                 \
    CHECK(self + delta >= sub.last || above == T((self + delta) * 3));                                                 \
    const T below = __acpp_sscp_sub_group_shr_##T(T(self * 3), delta);                                                 \
    CHECK(self < sub.first + delta || below == T((self - delta) * 3));                                                 \
  }

static void shifts(u64 self, u64 count) {
  const sub_group sub(self, count);
  CHECK_SHIFTS(i8)
  CHECK_SHIFTS(i16)
  CHECK_SHIFTS(i32)
  CHECK_SHIFTS(i64)
}

static void votes(u64 self, u64 count) {
  CHECK(__acpp_sscp_work_group_any(self == count - 1));
  CHECK(!__acpp_sscp_work_group_any(false));
  CHECK(__acpp_sscp_work_group_all(true));
  CHECK(!__acpp_sscp_work_group_all(self != count / 2));
  CHECK(__acpp_sscp_work_group_none(false));
  CHECK(!__acpp_sscp_work_group_none(self == 0));
  const sub_group sub(self, count);
  CHECK(__acpp_sscp_sub_group_any(self == sub.last - 1) && !__acpp_sscp_sub_group_any(false));
  CHECK(__acpp_sscp_sub_group_all(true) && !__acpp_sscp_sub_group_all(self != sub.first));
  CHECK(__acpp_sscp_sub_group_none(false) && !__acpp_sscp_sub_group_none(self == sub.first));
}

// All members take part.
static void parts(u64 self, u64 count) {
  const sub_group sub(self, count);
  const u64 size = sub.last - sub.first, all = ~u64(0) >> (64 - size);
  CHECK(__acpp_sscp_sub_group_active() == all);
  u64 votes = 0;
  for (u64 i = 0; i < size; ++i)
    votes |= u64((sub.first + i) % 3 == 0) << i;
  CHECK(__acpp_sscp_sub_group_ballot(all, self % 3 == 0) == votes);
  CHECK(__acpp_sscp_sub_group_ballot(all, false) == 0);
  const u32 item = u32((self * 7 + 1) % size);
  CHECK(__acpp_sscp_sub_group_read_i32(all, i32(self * 3), item) == i32((sub.first + item) * 3));
  CHECK(__acpp_sscp_sub_group_read_i64(all, i64(self) << 40, item) == i64(sub.first + item) << 40);
}

#ifndef WARPS
static void prepare(u64) {}
#endif

static void work_item() {
  const u64 self = fibers::self, count = size_x * size_y * size_z;
  combinations(self, count);
  queries(self, count);
  moves(self, count);
  sub_group_moves(self, count);
  shifts(self, count);
  votes(self, count);
  parts(self, count);
}

static void run(u64 x, u64 y, u64 z) {
  size_x = x, size_y = y, size_z = z;
  prepare(x * y * z);
  barrier.init(x * y * z);
  fibers::run(x * y * z, work_item);
}

int main() {
  run(1, 1, 1);
  run(7, 1, 1);
  run(32, 1, 1);
  run(4, 3, 1);
  run(3, 2, 5);
  run(33, 1, 1);
  run(8, 4, 2);
  run(5, 5, 4);
#ifdef LARGE_GROUPS
  run(1024, 1, 1);
#endif
  return failures != 0;
}
