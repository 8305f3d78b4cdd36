// Specialization constants: defaults, values per command group, structures, and kernels of each
// form.
// levels: 0 2
#include "shapes.hpp"

namespace {

struct coefficients {
  float values[3];
  int count;
};

constexpr sycl::specialization_id<int> factor(3);
constexpr sycl::specialization_id<bool> doubled(false);
constexpr sycl::specialization_id<coefficients> filter(coefficients{{1, 2, 3}, 3});
constexpr sycl::specialization_id<double> unused(0.5);

// Reads a constant in a separate function.
int scaled(int x, const sycl::kernel_handler &constants) {
  const int y = x * constants.get_specialization_constant<factor>();
  return constants.get_specialization_constant<doubled>() ? 2 * y : y;
}

} // namespace

struct holder {
  static constexpr sycl::specialization_id<short> member{short(11)};
};

namespace {

void check_default(sycl::queue &queue) {
  shared_array<int> out(queue, 4);
  queue.single_task([out = out.get()](sycl::kernel_handler constants) {
    out[0] = scaled(1, constants);
    out[1] = constants.get_specialization_constant<holder::member>();
    out[2] = static_cast<int>(constants.get_specialization_constant<filter>().values[2]);
    out[3] = constants.get_specialization_constant<filter>().count;
  });
  queue.wait();
  const int expected[] = {3, 11, 3, 3};
  for (int i = 0; i < 4; ++i)
    CHECK_EQUAL(out[i], expected[i]);
}

void check_set(sycl::queue &queue, int value, bool twice) {
  shared_array<int> out(queue, 8);
  queue.submit([&](sycl::handler &handler) {
    CHECK_EQUAL(handler.get_specialization_constant<factor>(), 3);
    handler.set_specialization_constant<factor>(-1);
    handler.set_specialization_constant<factor>(value);
    handler.set_specialization_constant<doubled>(twice);
    handler.set_specialization_constant<unused>(1.5);
    CHECK_EQUAL(handler.get_specialization_constant<factor>(), value);
    CHECK_EQUAL(handler.get_specialization_constant<unused>(), 1.5);
    CHECK_EQUAL(handler.get_specialization_constant<holder::member>(), 11);
    handler.parallel_for(sycl::range<1>(8), [out = out.get()](sycl::id<1> i, sycl::kernel_handler constants) {
      out[i] = scaled(static_cast<int>(i[0]), constants);
    });
  });
  queue.wait();
  for (int i = 0; i < 8; ++i)
    CHECK_EQUAL(out[i], i * value * (twice ? 2 : 1));
}

void check_structure(sycl::queue &queue, const coefficients &chosen) {
  shared_array<float> out(queue, 14);
  queue.submit([&](sycl::handler &handler) {
    handler.set_specialization_constant<filter>(chosen);
    handler.set_specialization_constant<holder::member>(short(7));
    handler.parallel_for(sycl::nd_range<1>(14, 7),
                         [out = out.get()](sycl::nd_item<1> item, sycl::kernel_handler constants) {
                           const coefficients c = constants.get_specialization_constant<filter>();
                           float sum = constants.get_specialization_constant<holder::member>();
                           for (int i = 0; i < c.count; ++i)
                             sum += c.values[i] * static_cast<float>(item.get_global_id(0));
                           out[item.get_global_id(0)] = sum;
                         });
  });
  queue.wait();
  float slope = 0;
  for (int i = 0; i < chosen.count; ++i)
    slope += chosen.values[i];
  for (int i = 0; i < 14; ++i)
    CHECK_EQUAL(out[i], 7 + slope * static_cast<float>(i));
}

} // namespace

int main() {
  sycl::queue queue;
  check_default(queue);
  for (const int value : {5, 0, -2, 5})
    for (const bool twice : {false, true})
      check_set(queue, value, twice);
  check_structure(queue, {{1, 2, 4}, 3});
  check_structure(queue, {{8, 16, 4}, 2});
  check_default(queue);
  return pass();
}
