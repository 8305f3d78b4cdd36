// Algorithms whose wait is left to what comes next. The kernels are slow, so that whoever does not
// wait for them sees what was there before.
// options: --stdpar -pthread -ffp-contract=off
// levels: 0 1 2 3
// memory: auto shared
// group-sizes: 64
#include <algorithm>
#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>

#include <sinter/stdpar.h>

#include "offloaded.hpp"

using std::execution::par_unseq;

// A random access iterator over numbers.
struct counting {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = const int *;
  using reference = int;

  int value;

  int operator*() const { return value; }
  int operator[](difference_type n) const { return value + static_cast<int>(n); }
  counting &operator++() { return ++value, *this; }
  counting operator++(int) { return {value++}; }
  counting &operator--() { return --value, *this; }
  counting operator--(int) { return {value--}; }
  counting &operator+=(difference_type n) { return value += static_cast<int>(n), *this; }
  counting &operator-=(difference_type n) { return value -= static_cast<int>(n), *this; }
  friend counting operator+(counting at, difference_type n) { return at += n; }
  friend counting operator+(difference_type n, counting at) { return at += n; }
  friend counting operator-(counting at, difference_type n) { return at -= n; }
  friend difference_type operator-(counting x, counting y) { return x.value - y.value; }
  friend bool operator==(counting x, counting y) { return x.value == y.value; }
  friend bool operator!=(counting x, counting y) { return x.value != y.value; }
  friend bool operator<(counting x, counting y) { return x.value < y.value; }
  friend bool operator>(counting x, counting y) { return x.value > y.value; }
  friend bool operator<=(counting x, counting y) { return x.value <= y.value; }
  friend bool operator>=(counting x, counting y) { return x.value >= y.value; }
};

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
  waits(6, 1, [=] {
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

// Algorithms with a result follow a loop at once, and wait themselves. Without groups they call the
// program's operator new first, which may look at anything.
static void results_behind_loops() {
  const std::uint64_t others = sinter_stdpar_group_size() == 1 ? 1 : 0;
  std::vector<int> a(count, 1), b(count);
  int *const first = a.data(), *const second = b.data();
  int sum = 0;
  waits(4, 1 + others, [=, &sum] {
    std::for_each(par_unseq, first, first + count, [](int &x) { x = slowly(x + 1); });
    std::for_each(par_unseq, first, first + count, [](int &x) { x = slowly(x + 1); });
    std::transform(par_unseq, first, first + count, second, [](int x) { return slowly(2 * x); });
    sum = std::transform_reduce(par_unseq, first, first + count, second, 5);
  });
  CHECK(sum == 5 + 18 * static_cast<int>(count));
  waits(3, 2 + others, [=, &sum] {
    std::for_each(par_unseq, first, first + count, [](int &x) { x = slowly(x + 1); });
    std::inclusive_scan(par_unseq, first, first + count, second);
    sum = static_cast<int>(std::count_if(par_unseq, second, second + count, [](int x) { return x % 8 == 0; }));
  });
  CHECK(b[0] == 4 && b[count - 1] == static_cast<int>(4 * count) && sum == static_cast<int>(count) / 2);
  std::fill(par_unseq, first, first + count, 3);
  CHECK(std::reduce(par_unseq, first, first + count, 1) == 1 + 3 * static_cast<int>(count));
}

// A simulation in the shape of LULESH: a class whose members are arrays, functions of a unit that
// start several loops, temporary arrays, and a step that depends on a reduction. Each value is
// computed by a serial twin too.
struct serial {};
template <class Policy, class Function> void each(Policy policy, int n, const Function &f) {
  std::for_each_n(policy, counting{0}, n, f);
}
template <class Function> void each(serial, int n, const Function &f) {
  for (int i = 0; i != n; ++i)
    f(i);
}
template <class Policy> double least(Policy policy, const double *values, int n, double greatest) {
  return std::reduce(policy, values, values + n, greatest, [](double x, double y) { return x < y ? x : y; });
}
inline double least(serial, const double *values, int n, double greatest) {
  for (int i = 0; i != n; ++i)
    greatest = values[i] < greatest ? values[i] : greatest;
  return greatest;
}

class simulation {
public:
  explicit simulation(int n)
      : size(n), place(std::size_t(n)), speed(std::size_t(n)), mass(std::size_t(n)), force(std::size_t(n)),
        energy(std::size_t(n)) {
    for (int i = 0; i != n; ++i)
      place[std::size_t(i)] = i, mass[std::size_t(i)] = 1 + i % 7, speed[std::size_t(i)] = (i * 37 % 11) - 5;
  }

  template <class Policy> [[gnu::noinline]] void run(Policy policy, int steps) {
    for (int i = 0; i != steps; ++i) {
      forces(policy);
      move(policy);
      energies(policy);
      constraints(policy);
    }
  }
  bool operator==(const simulation &other) const {
    return place == other.place && speed == other.speed && energy == other.energy && step == other.step;
  }

private:
  // Temporary arrays end with the functions, and exceptions may leave these.
  template <class Policy> [[gnu::noinline]] void forces(Policy policy) {
    std::vector<double> stress(std::size_t(size), 0.0);
    double *const s = stress.data(), *const f = force.data();
    const double *const x = place.data();
    const int n = size;
    each(policy, n, [=](int i) { s[i] = slowly(i) == i ? x[i == 0 ? n - 1 : i - 1] - x[i] : -1; });
    each(policy, n, [=](int i) { f[i] = s[i] + s[i + 1 == n ? 0 : i + 1] * 2; });
    hourglass(policy, f);
  }
  template <class Policy> [[gnu::noinline]] void hourglass(Policy policy, double *f) {
    const std::unique_ptr<double[]> modes(new double[std::size_t(size)]);
    double *const m = modes.get();
    const double *const v = speed.data();
    each(policy, size, [=](int i) { m[i] = v[i] * (slowly(i) == i ? 4 : 0); });
    each(policy, size, [=](int i) { f[i] -= m[i]; });
    if (size > 3)
      each(policy, 3, [=](int i) { f[i] = 0; });
  }
  template <class Policy> [[gnu::noinline]] void move(Policy policy) {
    double *const v = speed.data(), *const x = place.data();
    const double *const f = force.data(), *const m = mass.data();
    const double dt = step;
    each(policy, size, [=](int i) { v[i] += f[i] / m[i] * dt; });
    each(policy, size, [=](int i) { x[i] += v[i] * (slowly(i) == i ? dt : 0); });
  }
  template <class Policy> [[gnu::noinline]] void energies(Policy policy) {
    std::array<std::vector<double>, 2> work{std::vector<double>(std::size_t(size)), std::vector<double>(force)};
    double *const w = work[0].data(), *const o = work[1].data(), *const e = energy.data();
    const double *const v = speed.data(), *const m = mass.data();
    for (int round = 0; round != 2; ++round) {
      each(policy, size, [=](int i) { w[i] = v[i] * v[i] * m[i] / 2; });
      each(policy, size, [=](int i) { e[i] = w[i] + o[i] * (slowly(i) == i ? 1 : 0); });
      std::swap(work[0], work[1]);
    }
    if (slowly(size) != size)
      throw std::runtime_error("never");
  }
  template <class Policy> void constraints(Policy policy) {
    std::vector<double> limit(std::size_t(size), 0.0);
    double *const l = limit.data();
    const double *const v = speed.data();
    each(policy, size, [=](int i) { l[i] = (slowly(i) == i ? 1.0 : 0) / (1 + (v[i] < 0 ? -v[i] : v[i])); });
    step = least(policy, l, size, 0.125);
  }

  int size;
  double step = 0.0625;
  std::vector<double> place, speed, mass, force, energy;
};

static void a_simulation() {
  for (const int n : {2, 5, 100}) {
    simulation one(n), other(n), third(n);
    one.run(serial{}, 6);
    other.run(par_unseq, 6);
    third.run(std::execution::par, 6);
    CHECK(one == other && one == third);
  }
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
  results_behind_loops();
  a_simulation();
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
