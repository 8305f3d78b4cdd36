// Runs the collectives of a work-group with one thread for each work-item and compares them with serial loops. Linked
// with the bitcode library by tests/builtins.rs. Prints each failure; the exit status says whether there was one.
#include "../builtins/generic/types.hpp"
#include <atomic>
#include <cstdio>
#include <pthread.h>
#include <thread>
#include <vector>

namespace {
thread_local u64 id_x, id_y, id_z;
u64 size_x, size_y, size_z;
pthread_barrier_t barrier;
std::atomic<int> failures{0};
} // namespace

#define CHECK(CONDITION)                                                                                               \
  do {                                                                                                                 \
    if (!(CONDITION) && failures++ < 20)                                                                               \
      std::printf("line %d: %s (%llu x %llu x %llu)\n", __LINE__, #CONDITION, size_x, size_y, size_z);                 \
  } while (0)

extern "C" {
u64 __acpp_sscp_get_local_id_x() { return id_x; }
u64 __acpp_sscp_get_local_id_y() { return id_y; }
u64 __acpp_sscp_get_local_id_z() { return id_z; }
u64 __acpp_sscp_get_local_size_x() { return size_x; }
u64 __acpp_sscp_get_local_size_y() { return size_y; }
u64 __acpp_sscp_get_local_size_z() { return size_z; }
void __acpp_sscp_work_group_barrier(scope, order) { pthread_barrier_wait(&barrier); }

#define DECLARE(T)                                                                                                     \
  T __acpp_sscp_work_group_reduce_##T(i32, T);                                                                         \
  T __acpp_sscp_work_group_inclusive_scan_##T(i32, T);                                                                 \
  T __acpp_sscp_work_group_exclusive_scan_##T(i32, T, T);                                                              \
  T __acpp_sscp_sub_group_exclusive_scan_##T(i32, T, T);
DECLARE(i8)
DECLARE(u8)
DECLARE(i32)
DECLARE(u64)
DECLARE(f32)
DECLARE(f64)
i8 __acpp_sscp_work_group_broadcast_i8(i32, i8);
i64 __acpp_sscp_work_group_shift_left_i64(i64, u32);
i64 __acpp_sscp_work_group_shift_right_i64(i64, u32);
i32 __acpp_sscp_work_group_permute_i32(i32, i32);
i16 __acpp_sscp_work_group_select_i16(i16, i32);
bool __acpp_sscp_work_group_any(bool);
bool __acpp_sscp_work_group_all(bool);
bool __acpp_sscp_work_group_none(bool);
i32 __acpp_sscp_sub_group_permute_i32(i32, i32);
bool __acpp_sscp_sub_group_none(bool);
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

// A value for each item that makes every operation interesting.
template <class T> static T value(u64 item) { return T((item * 7 + 3) % 11 + (item % 3 == 0 ? 0.5 : 0)); }

#define CHECK_OPERATIONS(T, OPERATIONS)                                                                                \
  for (int op = 0; op < (OPERATIONS); ++op) {                                                                          \
    if (sizeof(T) >= 4 && T(0.5) != 0 && op >= 4 && op <= 6)                                                           \
      continue;                                                                                                        \
    T all = value<T>(0), before = T(5), through = value<T>(0);                                                         \
    for (u64 i = 1; i < count; ++i)                                                                                    \
      all = combine(op, all, value<T>(i));                                                                             \
    for (u64 i = 0; i < self; ++i)                                                                                     \
      before = combine(op, before, value<T>(i));                                                                       \
    for (u64 i = 1; i <= self; ++i)                                                                                    \
      through = combine(op, through, value<T>(i));                                                                     \
    CHECK(__acpp_sscp_work_group_reduce_##T(op, value<T>(self)) == all);                                               \
    CHECK(__acpp_sscp_work_group_inclusive_scan_##T(op, value<T>(self)) == through);                                   \
    CHECK(__acpp_sscp_work_group_exclusive_scan_##T(op, value<T>(self), T(5)) == before);                              \
    CHECK(__acpp_sscp_sub_group_exclusive_scan_##T(op, value<T>(self), T(5)) == T(5));                                 \
  }

static void combinations(u64 self, u64 count) {
  CHECK_OPERATIONS(i8, 9)
  CHECK_OPERATIONS(u8, 9)
  CHECK_OPERATIONS(i32, 9)
  CHECK_OPERATIONS(u64, 9)
  CHECK_OPERATIONS(f32, 9)
  CHECK_OPERATIONS(f64, 9)
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
    CHECK(__acpp_sscp_sub_group_permute_i32(i32(self), 0) == i32(self));
  }
  CHECK(__acpp_sscp_work_group_select_i16(i16(self), i32(count - 1 - self)) == i16(count - 1 - self));
}

static void votes(u64 self, u64 count) {
  CHECK(__acpp_sscp_work_group_any(self == count - 1));
  CHECK(!__acpp_sscp_work_group_any(false));
  CHECK(__acpp_sscp_work_group_all(true));
  CHECK(!__acpp_sscp_work_group_all(self != count / 2));
  CHECK(__acpp_sscp_work_group_none(false));
  CHECK(!__acpp_sscp_work_group_none(self == 0));
  CHECK(__acpp_sscp_sub_group_none(false) && !__acpp_sscp_sub_group_none(true));
}

static void work_item(u64 x, u64 y, u64 z) {
  id_x = x, id_y = y, id_z = z;
  const u64 self = x + size_x * (y + size_y * z), count = size_x * size_y * size_z;
  combinations(self, count);
  moves(self, count);
  votes(self, count);
}

static void run(u64 x, u64 y, u64 z) {
  size_x = x, size_y = y, size_z = z;
  pthread_barrier_init(&barrier, nullptr, unsigned(x * y * z));
  std::vector<std::thread> items;
  for (u64 i = 0; i < x * y * z; ++i)
    items.emplace_back(work_item, i % x, i / x % y, i / (x * y));
  for (std::thread &item : items)
    item.join();
  pthread_barrier_destroy(&barrier);
}

int main() {
  run(1, 1, 1);
  run(7, 1, 1);
  run(32, 1, 1);
  run(4, 3, 1);
  run(3, 2, 5);
  return failures != 0;
}
