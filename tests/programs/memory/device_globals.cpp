// levels: 0 2
// standards: c++17 c++20
// runs: 2
//
// Variables that a device has for itself: initial values, access by kernels and by copies of the
// host. The second process finds the kernels in the cache, with other addresses.
#include "../check.hpp"
#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi::experimental;

struct pair {
  constexpr pair() = default;
  constexpr pair(int a, float b) : first(a), second(b) {}
  int sum() const { return first + static_cast<int>(second); }
  int first = 0;
  float second = 0;
};

oneapi::device_global<int> counter{5};
oneapi::device_global<int> zero;
static oneapi::device_global<float[8], decltype(oneapi::properties{oneapi::device_image_scope})> table;
namespace {
oneapi::device_global<int[2][3]> matrix{1, 2, 3, 4, 5, 6};
oneapi::device_global<double> hidden{2.5};
} // namespace
namespace outer::inner {
inline oneapi::device_global<pair> both(3, 4.0f);
}
struct owner {
  static inline oneapi::device_global<unsigned char> member{200};
};
template <class Type> oneapi::device_global<Type> of_type{Type(7)};
oneapi::device_global<int *> pointer;
oneapi::device_global<const int, decltype(oneapi::properties{oneapi::host_access_read})> fixed{11};
oneapi::device_global<int, decltype(oneapi::properties{oneapi::host_access_write, oneapi::init_mode_reset})> given{1};
oneapi::device_global<sycl::vec<int, 4>> aligned{sycl::int4{1, 2, 3, 4}};

static_assert(decltype(given)::has_property<oneapi::host_access_key>());
static_assert(decltype(given)::get_property<oneapi::init_mode_key>().value == oneapi::init_mode_enum::reset);
static_assert(!decltype(counter)::has_property<oneapi::device_image_scope_key>());

__attribute__((noinline)) int add_to(oneapi::device_global<int> &which, int value) {
  which.get() += value;
  return which;
}

void initial_values(sycl::queue &queue) {
  int *out = sycl::malloc_shared<int>(12, queue);
  queue.single_task([=] {
    out[0] = counter;
    out[1] = zero.get();
    out[2] = static_cast<int>(table[7]);
    out[3] = matrix[1][2] * 10 + matrix.get()[0][1];
    out[4] = static_cast<int>(hidden.get() * 2);
    out[5] = outer::inner::both.get().sum();
    out[6] = owner::member.get();
    out[7] = of_type<int>.get() + of_type<short>.get();
    out[8] = pointer.get() == nullptr;
    out[9] = fixed;
    out[10] = aligned.get()[3];
    out[11] = *given.get_multi_ptr();
  }).wait();
  const int expected[] = {5, 0, 0, 62, 5, 7, 200, 14, 1, 11, 4, 1};
  for (int i = 0; i < 12; ++i)
    CHECK(out[i] == expected[i]);
  sycl::free(out, queue);
}

void copies(sycl::queue &queue) {
  int in_matrix[6] = {60, 50, 40, 30, 20, 10}, two = 2, number = 0;
  float floats[8] = {0, 1, 2, 3, 4, 5, 6, 7}, back[8] = {};
  queue.memcpy(table, floats).wait();
  queue.copy(in_matrix, matrix, 4, 1).wait();
  const sycl::event first = queue.memcpy(given, &two, sizeof(int), 0, std::vector<sycl::event>{});
  int *out = sycl::malloc_shared<int>(8, queue);
  queue.submit([&](sycl::handler &group) {
    group.depends_on(first);
    group.single_task([=] {
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
          out[i * 3 + j] = matrix[i][j];
      out[6] = given;
      table[2] = table[3] + 10;
      pointer = out;
    });
  }).wait();
  const int expected[] = {1, 60, 50, 40, 30, 6, 2};
  for (int i = 0; i < 7; ++i)
    CHECK(out[i] == expected[i]);
  queue.single_task([=] { pointer[7] = 77; }).wait();
  CHECK(out[7] == 77);
  queue.submit([&](sycl::handler &group) { group.memcpy(back, table, sizeof(float) * 2, sizeof(float) * 2); }).wait();
  CHECK(back[0] == 13 && back[1] == 3);
  queue.submit([&](sycl::handler &group) { group.copy(fixed, &number); }).wait();
  CHECK(number == 11);
  queue.copy(table, back, 3, 5, sycl::event()).wait();
  CHECK(back[0] == 5 && back[2] == 7);
  int *const memory = nullptr;
  queue.copy(&memory, pointer).wait();
  sycl::free(out, queue);
}

void updates(sycl::queue &queue) {
  for (int i = 0; i < 3; ++i)
    queue.single_task([=] { add_to(counter, 2); });
  queue.parallel_for(sycl::range<1>(100), [=](sycl::id<1>) {
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(zero.get()).fetch_add(1);
  });
  queue.wait();
  int values[2] = {};
  queue.copy(counter, &values[0]).wait();
  queue.copy(zero, &values[1]).wait();
  CHECK(values[0] == 11 && values[1] == 100);
}

template <class Function> bool is_invalid(const Function &function) {
  try {
    function();
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::invalid && std::string(error.what()).find("device_global") != std::string::npos;
  }
  return false;
}

int main() {
  sycl::queue queue;
  initial_values(queue);
  copies(queue);
  updates(queue);
  int number = 0;
  CHECK(is_invalid([&] { queue.memcpy(&number, counter, 5); }));
  CHECK(is_invalid([&] { queue.copy(counter, &number, 1, 1); }));
  CHECK(is_invalid([&] { queue.memcpy(counter, &number, 4, ~std::size_t(0)); }));
  bool refused = false;
  try {
    number = counter.get();
  } catch (const sycl::exception &error) {
    refused = error.code() == sycl::errc::feature_not_supported;
  }
  CHECK(refused);
  return pass();
}
