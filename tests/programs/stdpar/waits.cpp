// Algorithms whose wait is left to what comes next. The kernels are slow, so that whoever does not
// wait for them sees what was there before.
// options: --stdpar -pthread
// levels: 0 1 2 3
// memory: auto shared
#include <algorithm>
#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>

#include <sinter/stdpar.h>

#include "offloaded.hpp"

using std::execution::par_unseq;

constexpr int rounds = 200000;
constexpr std::size_t count = 64;

// Returns its argument, after a while.
static int slowly(int value) {
  unsigned state = static_cast<unsigned>(value) | 1;
  for (int i = 0; i != rounds; ++i)
    state = state * 1664525u + 1013904223u;
  return state == 0 ? -1 : value;
}

// The CPU of the host waits for each kernel at once, unless it is used like a device that shares
// memory. Other devices do not.
static bool leaves_waits() {
  const char *const mask = std::getenv("SINTER_VISIBILITY_MASK");
  if (mask != nullptr && std::strstr(mask, "host") == nullptr)
    return true;
  sinter_pointer_info info{};
  info.struct_size = sizeof info;
  const std::vector<int> block(1000);
  const bool is_known = sinter_pointer_get_info(block.data(), &info) == SINTER_SUCCESS;
  return is_known && info.kind == SINTER_MEMORY_SHARED;
}

// Checks the number of waits of an action. `most` is for code that was optimised.
template <class Action> static void waits(std::uint64_t launched, std::uint64_t most, const Action &action) {
  const std::uint64_t before = sinter_stdpar_wait_count();
  action();
  const std::uint64_t waited = sinter_stdpar_wait_count() - before;
#if defined(__OPTIMIZE__)
  const bool is_optimised = true;
#else
  const bool is_optimised = false;
#endif
  if (is_optimised && leaves_waits())
    CHECK(waited >= 1 && waited <= most);
  else
    CHECK(waited == launched);
}

static void several_in_a_row() {
  std::vector<int> a(count), b(count), c(count);
  int *const first = a.data(), *const second = b.data(), *const third = c.data();
  waits(4, 1, [=] {
    std::fill(par_unseq, first, first + count, 3);
    std::for_each(par_unseq, first, first + count, [](int &x) { x = slowly(x + 1); });
    std::transform(par_unseq, first, first + count, second, [](int x) { return slowly(2 * x); });
    std::copy(par_unseq, second, second + count, third);
  });
  CHECK(std::all_of(c.begin(), c.end(), [](int x) { return x == 8; }));
}

static void a_loop() {
  std::vector<int> a(count, 0), b(count, 0);
  int *from = a.data(), *to = b.data();
  waits(10, 1, [&] {
    int *here = from, *there = to;
    for (int step = 0; step != 10; ++step) {
      std::transform(par_unseq, here, here + count, there, [=](int x) { return slowly(x + step); });
      std::swap(here, there);
    }
  });
  CHECK(std::all_of(a.begin(), a.end(), [](int x) { return x == 45; }));
}

static void numbers_of_elements() {
  std::vector<int> a(count, 1);
  int *const first = a.data();
  waits(5, 1, [=] {
    for (int step = 1; step != 6; ++step)
      std::for_each_n(par_unseq, first, step * 10, [](int &x) { x = slowly(x + 1); });
  });
  CHECK(a[0] == 6 && a[9] == 6 && a[10] == 5 && a[49] == 2 && a[50] == 1);
  int *const last = std::fill_n(par_unseq, first, -1, 7);
  CHECK(last == first && a[0] == 6);
}

// A function that only this unit calls, and that is not inlined.
[[gnu::noinline]] static void twice(int *first, int step) {
  std::for_each(par_unseq, first, first + count, [step](int &x) { x = slowly(x + step); });
  std::for_each(par_unseq, first, first + count, [step](int &x) { x = slowly(x - 2 * step); });
}
[[gnu::noinline]] static void once_more(int *first) {
  first[3] += 5;
  std::for_each(par_unseq, first, first + count, [](int &x) { x = slowly(x + 1); });
}
static void functions() {
  std::vector<int> a(count, 0);
  int *const first = a.data();
  // An exception could leave `twice`, and this function has something to destroy.
  waits(6, 3, [=] {
    for (int step = 1; step != 4; ++step)
      twice(first, step);
  });
  CHECK(std::all_of(a.begin(), a.end(), [](int x) { return x == -6; }));
  waits(2, 2, [=] {
    once_more(first);
    once_more(first);
  });
  CHECK(a[3] == 6 && a[4] == -4);
}

// The end of a variable's life lets another one have its place.
static int lives_end(std::vector<int> &out) {
  int sum = 0;
  for (int round = 0; round != 3; ++round) {
    {
      std::array<int, 32> known;
      known.fill(round + 1);
      std::for_each(par_unseq, out.begin(), out.end(), [&known](int &x) { x += slowly(known[slowly(3)]); });
    }
    {
      std::array<int, 32> other;
      for (int i = 0; i != 32; ++i)
        other[i] = 1000 * (round + i);
      sum += other[static_cast<unsigned>(round) % 32] & 1;
    }
  }
  return sum;
}

static void captured_by_reference() {
  std::vector<int> a(count, 0);
  int total = 0;
  std::for_each(par_unseq, a.begin(), a.begin() + 1, [&total](int &) { total = slowly(5); });
  CHECK(total == 5);
  CHECK(lives_end(a) == 0 && std::all_of(a.begin(), a.end(), [](int x) { return x == 6; }));
}

static void blocks_end() {
  for (int round = 0; round != 5; ++round) {
    std::vector<int> sums(count);
    {
      auto values = std::make_unique<int[]>(count);
      int *const value = values.get();
      std::fill(par_unseq, value, value + count, 2);
      std::transform(par_unseq, value, value + count, sums.begin(), [](int x) { return slowly(x); });
    }
    auto others = std::make_unique<int[]>(count);
    std::fill(others.get(), others.get() + count, 9);
    CHECK(std::all_of(sums.begin(), sums.end(), [](int x) { return x == 2; }));
  }
}

static void throws(int *first) {
  std::for_each(par_unseq, first, first + count, [](int &x) { x = slowly(x + 1); });
  throw 1;
}

static std::jmp_buf place;
[[noreturn]] static void jumps(int *first) {
  std::for_each(par_unseq, first, first + count, [](int &x) { x = slowly(x + 1); });
  std::longjmp(place, 1);
}

static void ways_out() {
  static std::vector<int> a(count, 0);
  try {
    throws(a.data());
  } catch (int) {
    CHECK(std::all_of(a.begin(), a.end(), [](int x) { return x == 1; }));
  }
  if (setjmp(place) == 0)
    jumps(a.data());
  CHECK(std::all_of(a.begin(), a.end(), [](int x) { return x == 2; }));
}

// Another thread is told that the kernel is complete.
static void other_threads() {
  for (int round = 0; round != 5; ++round) {
    std::vector<int> a(count, 0);
    std::atomic<bool> is_done = false;
    int seen = 0;
    std::thread reader([&] {
      while (!is_done.load(std::memory_order_acquire))
        std::this_thread::yield();
      seen = std::accumulate(a.begin(), a.end(), 0);
    });
    std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(1); });
    is_done.store(true, std::memory_order_release);
    reader.join();
    CHECK(seen == static_cast<int>(count));
  }
}

static volatile int marker;
static int global = 0;
static int results(std::vector<int> &a) {
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  marker = a[0];
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  global += a[1];
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  const int sum = std::reduce(par_unseq, a.begin(), a.end(), 0);
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  std::sort(par_unseq, a.begin(), a.end());
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  return sum + a[2];
}

// One branch launches, the other one does not, and what follows is a loop without launches.
static int branches(std::vector<int> &a, bool launches) {
  if (launches)
    std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  int sum = 0;
  for (const int x : a)
    sum += x;
  return sum;
}

// Kernels that no device can run, between those that one can.
static int calls = 0;
static void on_both_sides() {
  std::vector<int> a(count, 0);
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { calls += x++; });
  std::for_each(par_unseq, a.begin(), a.end(), [](int &x) { x = slowly(x + 1); });
  CHECK(calls == static_cast<int>(count) && std::accumulate(a.begin(), a.end(), 0) == static_cast<int>(3 * count));
}

int main() {
  several_in_a_row();
  a_loop();
  numbers_of_elements();
  functions();
  captured_by_reference();
  blocks_end();
  ways_out();
  other_threads();
  std::vector<int> a(count, 0);
  CHECK(results(a) == 3 * static_cast<int>(count) + 5 && marker == 1 && global == 2);
  CHECK(branches(a, true) == 6 * static_cast<int>(count) && branches(a, false) == 6 * static_cast<int>(count));
  on_both_sides();
  return pass();
}
