// Parameters that a kernel over a range may have: id, item, integers and auto, also by reference.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

constexpr int size = 777;

template <class Launch> void check(sycl::queue &queue, int *out, const Launch &launch) {
  queue.memset(out, 0, size * sizeof(int));
  launch();
  queue.wait();
  for (int i = 0; i < size; ++i)
    CHECK_EQUAL(out[i], 3 * i + 1);
}

} // namespace

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(size, queue);
  const sycl::range<1> range(size);
  check(queue, out, [&] { queue.parallel_for(range, [=](sycl::id<1> i) { out[i] = int(3 * i[0] + 1); }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](const sycl::id<1> i) { out[i] = int(3 * i[0] + 1); }); });
  check(queue, out, [&] {
    queue.parallel_for(range, [=](const sycl::id<1> &i) noexcept { out[i] = int(3 * i[0] + 1); });
  });
  check(queue, out, [&] {
    queue.parallel_for(range, [=](sycl::id<1> i, sycl::kernel_handler) { out[i] = int(3 * i[0] + 1); });
  });
  check(queue, out, [&] { queue.parallel_for(range, [=](sycl::item<1> i) { out[i] = int(3 * i.get_id(0) + 1); }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](sycl::item<1, false> i) { out[i] = int(3 * i[0] + 1); }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](std::size_t i) { out[i] = int(3 * i + 1); }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](int i) { out[i] = 3 * i + 1; }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](unsigned i) { out[i] = int(3 * i + 1); }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](long i) { out[i] = int(3 * i + 1); }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](auto i) { out[i] = int(3 * i + 1); }); });
  check(queue, out, [&] {
    queue.parallel_for(range, [=](const auto &i) { out[i.get_linear_id()] = int(3 * i[0] + 1); });
  });
  check(queue, out, [&] { queue.parallel_for(range, [=](auto &i) { out[i] = int(3 * i + 1); }); });
  check(queue, out, [&] { queue.parallel_for(range, [=](auto &&i) { out[i] = int(3 * i + 1); }); });
  check(queue, out, [&] {
    queue.parallel_for(range, [=](auto &i, sycl::kernel_handler) { out[i[0]] = int(3 * i[0] + 1); });
  });
  check(queue, out, [&] {
    queue.parallel_for(sycl::nd_range<1>(range, 7), [=](auto &item) {
      const int i = int(item.get_global_id(0));
      out[i] = 3 * i + 1;
    });
  });
  check(queue, out, [&] { queue.parallel_for(size, [=](sycl::id<> i) { out[i] = int(3 * i.get(0) + 1); }); });
  check(queue, out, [&] {
    queue.parallel_for({7, 111}, [=](sycl::id<2> i) {
      const std::size_t position = i[0] * 111 + i[1];
      out[position] = int(3 * position + 1);
    });
  });
  check(queue, out, [&] {
    queue.parallel_for({7, 111}, [=](sycl::item<2> item) {
      const sycl::id<2> next = item + sycl::id<2>(1, 0);
      const bool is_itself = item == item.get_id() && !(item != item.get_id());
      out[item.get_linear_id()] = int(3 * ((next[0] - 1) * 111 + (sycl::id<2>(0, 2) + item)[1] - 2) + is_itself);
    });
  });
  check(queue, out, [&] {
    queue.parallel_for({3, 7, 37}, [=](auto i) { out[i.get_linear_id()] = int(3 * i.get_linear_id() + 1); });
  });
  check(queue, out, [&] {
    queue.submit([&](sycl::handler &handler) { handler.parallel_for(size, [=](int i) { out[i] = 3 * i + 1; }); });
  });
  sycl::free(out, queue);
  return pass();
}
